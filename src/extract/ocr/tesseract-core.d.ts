declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  /** The C++ interface of Tesseract. `Init`, `SetImageFile` and `Recognize` return 0 if they succeed. */
  interface TessBaseAPI {
    Init(directory: null, languages: string, engineMode: number, config: undefined): number;
    SetVariable(name: string, value: string): boolean;
    /** Reads the image from the file `/input`. */
    SetImageFile(exifOrientation: number, angle: number): number;
    /** Writes an image to the file `/image.png`. The value 1 of `kind` means gray. */
    WriteImage(kind: number): void;
    SetSourceResolution(dotsPerInch: number): void;
    Recognize(monitor: null): number;
    GetTSVText(page: number): string;
    Clear(): void;
  }
  interface Tesseract {
    readonly FS: {
      readFile(path: string): Uint8Array;
      writeFile(path: string, data: Uint8Array): void;
      unlink(path: string): void;
    };
    readonly TessBaseAPI: new () => TessBaseAPI;
  }
  /** Starts the engine. */
  function start(options: {
    readonly print: (text: string) => void;
    readonly printErr: (text: string) => void;
  }): Promise<Tesseract>;
  export = start;
}
