/** The parsed output of `/metrics`. */
export interface Scrape {
  /**
   * Returns the value of the sample with exactly these labels. If the sample is missing, returns 0, because `increase`
   * in Prometheus assumes this.
   */
  value(name: string, labels?: Labels): number;
  /** Returns the label sets of all samples with this name. */
  series(name: string): readonly Labels[];
  readonly families: ReadonlyMap<string, string>;
}

export type Labels = Readonly<Record<string, string>>;

/**
 * Parses the text format 0.0.4 strictly. Each family occurs once, and its HELP, TYPE and samples are together. No
 * sample is repeated, histograms are cumulative up to `+Inf`, and the text ends with a newline. Throws at the first
 * violation.
 */
export function parseScrape(text: string): Scrape {
  if (!text.endsWith('\n')) throw new Error('No newline at the end');
  const families = new Map<string, string>();
  const samples = new Map<string, Sample>();
  let family = { name: '', type: '', hasHelp: false };
  for (const line of text.split('\n').filter((line) => line !== '')) {
    const help = /^# HELP ([a-zA-Z_:][\w:]*) \S.*$/.exec(line);
    const type = /^# TYPE ([a-zA-Z_:][\w:]*) (counter|gauge|histogram|summary)$/.exec(line);
    if (help?.[1] !== undefined) {
      if (families.has(help[1])) throw new Error(`There are two families ${help[1]}`);
      family = { name: help[1], type: '', hasHelp: true };
    } else if (type?.[1] !== undefined) {
      if (type[1] !== family.name || family.type !== '') throw new Error(`Out of place: ${line}`);
      family = { ...family, type: type[2] ?? '' };
      families.set(family.name, family.type);
    } else {
      const sample = parseSample(line);
      if (!belongsTo(family, sample.name))
        throw new Error(`Not of the family ${family.name}: ${line}`);
      const key = keyOf(sample.name, sample.labels);
      if (samples.has(key)) throw new Error(`Twice: ${line}`);
      samples.set(key, sample);
    }
  }
  for (const [name, type] of families) {
    if (type === 'histogram') requireCumulative(name, [...samples.values()]);
    if (type === 'counter' && !name.endsWith('_total')) throw new Error(`No _total: ${name}`);
  }
  return {
    families,
    value: (name, labels = {}) => samples.get(keyOf(name, labels))?.value ?? 0,
    series: (name) =>
      [...samples.values()].filter((sample) => sample.name === name).map(({ labels }) => labels),
  };
}

interface Sample {
  readonly name: string;
  readonly labels: Labels;
  readonly value: number;
}

/** Accepts the values that Go's `ParseFloat` accepts. This includes `Nan`, which Node.js metrics without data have. */
function parseSample(line: string): Sample {
  const parts =
    /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? ([-+]?(?:[\d.]+(?:e[-+]?\d+)?|Inf)|N[Aa][Nn])$/.exec(line);
  if (parts === null) throw new Error(`Not a sample: ${line}`);
  const [, name = '', text = '', value = ''] = parts;
  const pairs = [...text.matchAll(/([a-zA-Z_]\w*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/g)];
  if (pairs.map(([pair]) => pair).join('') !== text) throw new Error(`Not labels: ${line}`);
  const labels = Object.fromEntries(pairs.map(([, label, content]) => [label, content ?? '']));
  if (Object.keys(labels).length !== pairs.length) throw new Error(`A label twice: ${line}`);
  return { name, labels, value: Number(value.replace('Inf', 'Infinity')) };
}

function belongsTo(
  family: { readonly name: string; readonly type: string },
  sample: string,
): boolean {
  if (family.type === 'histogram') {
    return ['_bucket', '_sum', '_count'].some((suffix) => sample === `${family.name}${suffix}`);
  }
  return family.type !== '' && sample === family.name;
}

function requireCumulative(name: string, samples: readonly Sample[]): void {
  const buckets = new Map<string, Sample[]>();
  for (const sample of samples.filter((sample) => sample.name === `${name}_bucket`)) {
    const { le, ...labels } = sample.labels;
    const key = keyOf(`${name}_count`, labels);
    buckets.set(key, [...(buckets.get(key) ?? []), sample]);
  }
  for (const [countKey, series] of buckets) {
    const counts = series.map(({ value }) => value);
    const isRising = counts.every(
      (count, index) => index === 0 || count >= (counts[index - 1] ?? 0),
    );
    const count = samples.find((sample) => keyOf(sample.name, sample.labels) === countKey);
    if (!isRising || series.at(-1)?.labels.le !== '+Inf' || counts.at(-1) !== count?.value) {
      throw new Error(`The buckets do not add up: ${countKey}`);
    }
  }
}

function keyOf(name: string, labels: Labels): string {
  return `${name}${JSON.stringify(Object.entries(labels).sort())}`;
}
