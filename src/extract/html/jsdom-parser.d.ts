declare module '@mozilla/readability/JSDOMParser.js' {
  /** The small DOM that Readability uses in its tests. It can read only well-formed HTML. */
  class JSDOMParser {
    parse(html: string, url?: string): Document;
  }
  export = JSDOMParser;
}
