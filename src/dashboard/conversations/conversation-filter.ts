import { useUrlParameter, useUrlTextField } from '../components/use-url-text-field.ts';
import { channelLabels } from '../transcript/conversation-channel.ts';
import { conversationStatusLabels } from '../transcript/conversation-status.ts';

const ratings = { UP: 'Rated good', DOWN: 'Rated bad' } as const;
const periods = {
  day: 'Last 24 hours',
  week: 'Last 7 days',
  month: 'Last 30 days',
} as const;
const handoffs = { yes: 'With a handoff', no: 'Without a handoff' } as const;
/** The keys are thresholds in percent. Below the first threshold, the assistant says that it does not know. */
const confidences = {
  '30': 'Below 30 %',
  '50': 'Below 50 %',
  '70': 'Below 70 %',
  '90': 'Below 90 %',
} as const;

const periodDays: Record<keyof typeof periods, number> = { day: 1, week: 7, month: 30 };

/** The filters of the list, stored in the URL. */
export function useConversationFilter() {
  const search = useUrlTextField('search');
  const endUser = useUrlTextField('user');
  const [labelId, setLabel] = useUrlParameter('label');
  const status = useUrlOption('status', conversationStatusLabels);
  const feedback = useUrlOption('rating', ratings);
  const confidence = useUrlOption('confidence', confidences);
  const channel = useUrlOption('channel', channelLabels);
  const handoff = useUrlOption('handoff', handoffs);
  const period = useUrlOption('period', periods);
  const options = { status, feedback, confidence, channel, handoff, period };
  const chosen = Object.values(options).filter(({ value }) => value !== null);
  return {
    variables: {
      search: search.committed,
      endUserId: endUser.committed,
      labelId,
      status: status.value,
      feedback: feedback.value,
      confidenceBelow: confidence.value && Number(confidence.value) / 100,
      channel: channel.value,
      hasHandoff: handoff.value && handoff.value === 'yes',
      from: period.value && startOfPeriod(periodDays[period.value]),
      to: null,
    },
    /** Number of filters that are set. Does not count the search. */
    count: chosen.length + [endUser.committed, labelId].filter(Boolean).length,
    search,
    endUser,
    labelId,
    setLabel,
    ...options,
    clear() {
      search.clear();
      endUser.clear();
      setLabel(null);
      for (const { set } of chosen) set(null);
    },
  };
}

export type ConversationFilter = ReturnType<typeof useConversationFilter>;

/** A choice that the URL stores. The value is null if the URL contains no choice or an unknown choice. */
export interface UrlOption<Name extends string> {
  readonly names: Readonly<Record<Name, string>>;
  readonly value: Name | null;
  readonly set: (value: string | null) => void;
}

function useUrlOption<Name extends string>(
  parameter: string,
  names: Readonly<Record<Name, string>>,
): UrlOption<Name> {
  const [text, set] = useUrlParameter(parameter);
  const value = text !== null && Object.hasOwn(names, text) ? (text as Name) : null;
  return { names, value, set };
}

/**
 * Returns the time `days` ago, rounded down to the full hour. Without rounding, the query variables would change with
 * each render.
 */
function startOfPeriod(days: number): string {
  const at = new Date(Date.now() - days * 86_400_000);
  at.setMinutes(0, 0, 0);
  return at.toISOString();
}
