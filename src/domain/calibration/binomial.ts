/** Returns the probability of at most `successes` successes in `trials` independent trials. Sums in logarithms. */
export function binomialAtMost(successes: number, trials: number, probability: number): number {
  if (successes >= trials || probability <= 0) return 1;
  if (probability >= 1) return 0;
  const logOdds = Math.log(probability) - Math.log1p(-probability);
  let logTerm = trials * Math.log1p(-probability);
  let sum = Math.exp(logTerm);
  for (let n = 0; n < successes; n += 1) {
    logTerm += Math.log((trials - n) / (n + 1)) + logOdds;
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}

/**
 * Returns the upper bound of the probability of a success that holds with the given certainty, whatever the probability
 * is (Clopper and Pearson 1934). 1 without trials.
 */
export function upperBound(successes: number, trials: number, certainty: number): number {
  if (successes >= trials) return 1;
  let [low, high] = [successes / trials, 1];
  for (let step = 0; step < 40; step += 1) {
    const middle = (low + high) / 2;
    if (binomialAtMost(successes, trials, middle) > 1 - certainty) low = middle;
    else high = middle;
  }
  return high;
}
