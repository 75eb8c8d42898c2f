/**
 * Names of the units of time in several languages, in singular and plural forms. They are constants, because creating
 * the formats of `Intl` at each start would take 10 ms and 2 MB.
 */
const unitNames = [
  'second|seconds|minute|minutes|hour|hours|day|days|week|weeks|month|months|year|years',
  'Sekunde|Sekunden|Minute|Minuten|Stunde|Stunden|Tag|Tage|Woche|Wochen|Monat|Monate|Jahr|Jahre',
  'segundo|segundos|minuto|minutos|hora|horas|día|días|semana|semanas|mes|meses|año|años',
  'seconde|secondes|minute|minutes|heure|heures|jour|jours|semaine|semaines|mois|an|ans',
  'secondo|secondi|minuto|minuti|ora|ore|giorno|giorni|settimana|settimane|mese|mesi|anno|anni',
  'segundo|segundos|minuto|minutos|hora|horas|dia|dias|semana|semanas|mês|meses|ano|anos',
  'seconde|seconden|minuut|minuten|uur|dag|dagen|week|weken|maand|maanden|jaar',
  'sekunda|sekundy|sekund|minuta|minuty|minut|godzina|godziny|godzin|dzień|dni',
  'tydzień|tygodnie|tygodni|miesiąc|miesiące|miesięcy|rok|lata|lat',
  'секунда|секунды|секунд|минута|минуты|минут|час|часа|часов|день|дня|дней',
  'неделя|недели|недель|месяц|месяца|месяцев|год|года|лет',
  'ثانية|ثانيتان|ثوان|دقيقة|دقيقتان|دقائق|ساعة|ساعتان|ساعات|يوم|يومان|أيام',
  'أسبوع|أسبوعان|أسابيع|شهر|شهران|أشهر|سنة|سنتان|سنوات',
  'सेकंड|मिनट|घंटा|घंटे|दिन|सप्ताह|महीना|महीने|वर्ष',
];
const ideographicUnitNames = '秒钟|分钟|小时|天|周|个月|年|秒|分|時間|日|週間|か月';

const numberWords =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|zwei|drei|vier|fünf|sechs|zehn|zwölf|dos|tres|cuatro|cinco|seis|diez|doce|deux|trois|quatre|cinq|dix|due|tre|quattro|cinque|dois|duas|два|две|три|четыре|пять|шесть|десять';
/** Words that are before the unit in a rate, such as "15 euros per day". */
const rateWords =
  'a|an|per|each|every|pro|je|jede[nrs]?|par|chaque|por|cada|al|a la|alla|ogni|à|в|за';

/**
 * Matches a duration: a number, at most two words, and a unit of time, such as "30 days" or "two business days". Does
 * not match a rate, such as "15 euros per day".
 */
export const durationPattern = new RegExp(
  [
    String.raw`(?:\p{Nd}|(?<!\p{L})(?:${numberWords}))[ -](?:(?!(?:${rateWords}) )\p{L}{1,12} ){0,2}(?:${unitNames.join('|')})(?!\p{L})`,
    String.raw`[\p{Nd}一二两三四五六七八九十百] ?(?:个|個|か|ヶ)?(?:${ideographicUnitNames}|月|週間|星期)`,
  ].join('|'),
  'iu',
);
