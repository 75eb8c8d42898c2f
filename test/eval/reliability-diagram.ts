import type { Bin } from '../../src/domain/evaluation/statistics.ts';

const size = 400;
const margin = 50;

/**
 * Returns a reliability diagram as SVG. Each bin is a point whose area is proportional to its number of questions. A
 * line shows perfect calibration.
 */
export function reliabilityDiagram(bins: readonly Bin[], title: string): string {
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const x = (value: number) => (margin + value * size).toFixed(1);
  const y = (value: number) => (margin + (1 - value) * size).toFixed(1);
  const held = bins.filter(({ count }) => count > 0);
  const points = held.map(
    ({ confidence, share, count }) =>
      `<circle cx="${x(confidence)}" cy="${y(share)}" r="${(3 + 15 * Math.sqrt(count / most)).toFixed(1)}" fill="#2563eb" fill-opacity="0.35" stroke="#2563eb"><title>${count} questions: confidence ${confidence.toFixed(2)}, answerable ${share.toFixed(2)}</title></circle>`,
  );
  const line = held.map(({ confidence, share }) => `${x(confidence)},${y(share)}`).join(' ');
  const ticks = [0, 0.2, 0.4, 0.6, 0.8, 1].flatMap((value) => [
    `<text x="${x(value)}" y="${margin + size + 18}" text-anchor="middle">${value}</text>`,
    `<text x="${margin - 8}" y="${y(value)}" text-anchor="end" dominant-baseline="middle">${value}</text>`,
  ]);
  const whole = size + 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${whole} ${whole}" font-family="sans-serif" font-size="12">
<rect width="${whole}" height="${whole}" fill="#fff"/>
<text x="${whole / 2}" y="25" text-anchor="middle" font-size="14">${escapeXml(title)}</text>
<rect x="${margin}" y="${margin}" width="${size}" height="${size}" fill="none" stroke="#999"/>
<line x1="${x(0)}" y1="${y(0)}" x2="${x(1)}" y2="${y(1)}" stroke="#999" stroke-dasharray="4 4"/>
<polyline points="${line}" fill="none" stroke="#2563eb"/>
${[...points, ...ticks].join('\n')}
<text x="${whole / 2}" y="${whole - 10}" text-anchor="middle">confidence</text>
<text x="14" y="${whole / 2}" text-anchor="middle" transform="rotate(-90 14 ${whole / 2})">share that is answerable</text>
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
