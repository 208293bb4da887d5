/**
 * Options that bound an `LRUCache` to so many entries. With `max` it would take the memory of all of them at once:
 * 1.1 MB and 20 ms for 50,000, in each process that starts.
 */
export const atMost = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 });
