// A queue of tuples of numbers, of which the smallest comes first.

/** @typedef {readonly number[]} Tuple */

/**
 * @param {Tuple} one
 * @param {Tuple} other
 */
function isBefore(one, other) {
  for (let i = 0; i < one.length; i++) if (one[i] !== other[i]) return one[i] < other[i];
  return false;
}

/**
 * @param {Tuple[]} heap
 * @param {Tuple} entry
 */
export function heapPush(heap, entry) {
  let at = heap.length;
  for (let up; at && isBefore(entry, heap[(up = (at - 1) >> 1)]); at = up) heap[at] = heap[up];
  heap[at] = entry;
}

/**
 * Takes the smallest, of one at least.
 * @param {Tuple[]} heap
 */
export function heapPop(heap) {
  const first = heap[0];
  const last = /** @type {Tuple} */ (heap.pop());
  const size = heap.length;
  if (!size) return first;
  let at = 0;
  for (let child; (child = 2 * at + 1) < size; at = child) {
    if (child + 1 < size && isBefore(heap[child + 1], heap[child])) child++;
    if (!isBefore(heap[child], last)) break;
    heap[at] = heap[child];
  }
  heap[at] = last;
  return first;
}
