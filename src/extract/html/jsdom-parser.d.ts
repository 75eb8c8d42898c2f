declare module '@mozilla/readability/JSDOMParser.js' {
  /** The small DOM of Readability's tests. It reads well-formed HTML only. */
  class JSDOMParser {
    parse(html: string, url?: string): Document;
  }
  export = JSDOMParser;
}
