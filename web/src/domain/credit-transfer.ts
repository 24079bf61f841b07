/** The text of the code that bank apps read (EPC069-12, version 002): a credit transfer in euros, ready to be approved. */

export interface CreditTransfer {
  /** Whose account it is. */
  holder: string
  iban: string
  /** In EUR. */
  amount: number
  /** What the payer's statement and the holder's will say. */
  reference: string
}

/** The standard's limits, in characters, and in bytes for all of it. */
const LONGEST_NAME = 70
const LONGEST_REFERENCE = 140
const LONGEST = 331
const MOST_EURO = 999_999_999.99

/** Null where there is no name, or an amount no transfer can have. */
export function creditTransferText({ holder, iban, amount, reference }: CreditTransfer): string | null {
  if (!(amount >= 0.01 && amount <= MOST_EURO)) return null
  const textFor = (name: string) =>
    [
      'BCD',
      '002',
      // UTF-8
      '1',
      'SCT',
      // The BIC, which no bank of the euro area asks for any more.
      '',
      name,
      iban,
      `EUR${amount.toFixed(2)}`,
      // Purpose, and a structured reference instead of the text.
      '',
      '',
      cut(oneLine(reference), LONGEST_REFERENCE),
    ].join('\n')
  let name = cut(oneLine(holder), LONGEST_NAME)
  // Names in scripts of several bytes a character may need more room than there is.
  while (bytesOf(textFor(name)) > LONGEST) name = cut(name, [...name].length - 1)
  return name ? textFor(name) : null
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const cut = (text: string, length: number) => [...text].slice(0, length).join('')
const bytesOf = (text: string) => new TextEncoder().encode(text).length
