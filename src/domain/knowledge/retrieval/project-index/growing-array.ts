/** Returns the array itself if it has room for `length` elements. Otherwise returns a larger copy. */
export function withRoom<Numbers extends TypedArray>(array: Numbers, length: number): Numbers {
  if (length <= array.length) return array;
  const Type = array.constructor as new (length: number) => Numbers;
  const larger = new Type(Math.max(length, Math.ceil(growth * array.length), minLength));
  larger.set(array);
  return larger;
}

type TypedArray = Uint8Array | Uint16Array | Int32Array | Uint32Array;

/** An array grows by a quarter. So copies are rare, and at most a fifth of the memory is unused. */
const growth = 1.25;
const minLength = 16;
