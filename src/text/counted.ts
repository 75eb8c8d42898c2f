/** Returns `1 comment` or `2 comments`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Returns `1 comment was` or `2 comments were`. */
export function countedWas(count: number, noun: string): string {
  return `${counted(count, noun)} ${count === 1 ? 'was' : 'were'}`;
}
