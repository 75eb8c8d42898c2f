/**
 * Returns the bytes of a WebAssembly module that computes dot products of 16-bit vectors with SIMD, several times faster
 * than JavaScript:
 *
 * ```wat
 * (import "env" "memory" (memory 1))
 * (func (export "dotProducts") (param $row i32) (param $rows i32) (param $bytes i32) (param $query i32) (param $out i32)
 *   ;; for each of $rows rows of $bytes bytes (a multiple of 32) from $row on:
 *   ;;   store at $out the sum of i32x4.dot_i16x8_s over the vectors of the row and of $query; $out += 4
 * )
 * ```
 */
export function dotProductsWasm(): Uint8Array<ArrayBuffer> {
  const type = [1, 0x60, 5, i32, i32, i32, i32, i32, 0];
  const memoryImport = [1, ...name('env'), ...name('memory'), 2, 0, 1];
  const exported = [1, ...name('dotProducts'), 0, 0];
  const code = [2, 1, i32, 2, v128, ...body, end];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, type),
    ...section(2, memoryImport),
    ...section(3, [1, 0]),
    ...section(7, exported),
    ...section(10, [1, ...size(code.length), ...code]),
  ]);
}

const i32 = 0x7f;
const v128 = 0x7b;
const [row, rows, bytes, query, out, offset, sum, sum2] = [0, 1, 2, 3, 4, 5, 6, 7];
const [ret, end, empty] = [0x0f, 0x0b, 0x40];
const get = (local: number) => [0x20, local];
const set = (local: number) => [0x21, local];
const tee = (local: number) => [0x22, local];
const constant = (value: number) => [0x41, value];
const [add, subtract, isZero, isLess] = [0x6a, 0x6b, 0x45, 0x49];
const loop = [0x03, empty];
const repeatLoop = [0x0c, 0];
const repeatLoopIf = [0x0d, 0];
const when = [0x04, empty];
const load = (at: number) => [0xfd, 0x00, 0, at];
const dot = [0xfd, 0xba, 0x01];
const addLanes = [0xfd, 0xae, 0x01];
const lane = (index: number) => [0xfd, 0x1b, index];
const zeroLanes = [0xfd, 0x0c, ...new Array(16).fill(0)];
const store = [0x36, 2, 0];

const addProduct = (target: number, at: number) => [
  ...get(target),
  ...[...get(row), ...load(at)],
  ...[...get(query), ...get(offset), add, ...load(at)],
  ...[...dot, ...addLanes, ...set(target)],
];

const body = [
  ...loop,
  ...[...get(rows), isZero, ...when, ret, end],
  ...[...zeroLanes, ...set(sum), ...zeroLanes, ...set(sum2), ...constant(0), ...set(offset)],
  ...loop,
  ...[...addProduct(sum, 0), ...addProduct(sum2, 16)],
  ...[...get(row), ...constant(32), add, ...set(row)],
  ...[...get(offset), ...constant(32), add, ...tee(offset), ...get(bytes), isLess, ...repeatLoopIf],
  end,
  ...[...get(out), ...get(sum), ...get(sum2), ...addLanes, ...tee(sum), ...lane(0)],
  ...[1, 2, 3].flatMap((index) => [...get(sum), ...lane(index), add]),
  ...store,
  ...[...get(out), ...constant(4), add, ...set(out)],
  ...[...get(rows), ...constant(1), subtract, ...set(rows), ...repeatLoop],
  end,
];

const name = (text: string) => [text.length, ...new TextEncoder().encode(text)];

const section = (id: number, contents: readonly number[]) => [
  id,
  ...size(contents.length),
  ...contents,
];

/** Encodes a size below 16,384 in LEB128. */
function size(value: number): number[] {
  return value < 128 ? [value] : [(value & 0x7f) | 0x80, value >> 7];
}
