// The time of a recording for another size and other links, by the clock of its counters.

/**
 * Seconds until a state: with latencies and bandwidths that are so many times those of its machine,
 * and a vector of so many bytes. Waiting for latency scales with that, the rest with the bytes.
 * @param {Entry} entry
 * @param {number} state
 * @param {{size: number, latency: number, bandwidth: number}} setting bytes, and factors
 */
export function timeOf({ size, times, waits }, state, { size: bytes, latency, bandwidth }) {
  const moved = size ? ((times[state] - waits[state]) * bytes) / size : 0;
  return waits[state] * latency + moved / bandwidth;
}
