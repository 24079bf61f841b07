/**
 * The text of the QR code that bank apps read (EPC069-12, version 002): a credit transfer in euros, ready to approve.
 */

export interface CreditTransfer {
  holder: string
  iban: string
  /** In EUR. */
  amount: number
  /** Shown on both bank statements. */
  reference: string
}

/** The standard's limits: characters for the name and reference, bytes for the whole text. */
const LONGEST_NAME = 70
const LONGEST_REFERENCE = 140
const LONGEST = 331
const MOST_EURO = 999_999_999.99

/** Returns the text of the QR code; null if there is no name, or if no transfer can have this amount. */
export function creditTransferText({ holder, iban, amount, reference }: CreditTransfer): string | null {
  if (!(amount >= 0.01 && amount <= MOST_EURO)) return null
  const textFor = (name: string) =>
    [
      'BCD',
      '002',
      // The character set: UTF-8.
      '1',
      'SCT',
      // The BIC, which banks in the euro area no longer require.
      '',
      name,
      iban,
      `EUR${amount.toFixed(2)}`,
      // Purpose and structured reference, both empty: the text below replaces the reference.
      '',
      '',
      cut(oneLine(reference), LONGEST_REFERENCE),
    ].join('\n')
  let name = cut(oneLine(holder), LONGEST_NAME)
  // A name in a multi-byte script may still be too long in bytes.
  while (bytesOf(textFor(name)) > LONGEST) name = cut(name, [...name].length - 1)
  return name ? textFor(name) : null
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim()
const cut = (text: string, length: number) => [...text].slice(0, length).join('')
const bytesOf = (text: string) => new TextEncoder().encode(text).length
