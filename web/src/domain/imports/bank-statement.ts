/**
 * Reads credits and debits from bank statements in the formats of ISO 20022, versions 2 to 13: camt.053 of whole days,
 * camt.052 of the day so far and camt.054 of single transfers.
 */
import { t } from '@lingui/core/macro'
import { isDay, Unreadable } from './row.ts'

export interface BankEntry {
  /** The entry's number in the statement, from 1. */
  key: string
  amount: number
  currency: string
  /** Debit: money out, or money in that was taken back. Pending: not booked yet. Null: money in. */
  kind: 'debit' | 'pending' | null
  /** YYYY-MM-DD */
  booked: string | null
  /** The payer. */
  name: string
  /** The last four characters of the payer's IBAN. */
  account: string
  /** The payer's message. */
  text: string
  /** The bank's reference for this entry; null if it gives none. */
  ref: string | null
}

/** In each of the three formats, the element that contains the entries (`Ntry`). */
const MESSAGES = ['BkToCstmrStmt', 'BkToCstmrAcctRpt', 'BkToCstmrDbtCdtNtfctn']

/** SWIFT's older format, which many banks still offer first. */
const MT940 = /^\s*(?:\{1:|:20:)|^:(?:25|28C?|60[FM]|61|86):/m

export function readBankStatement(xml: string): BankEntry[] {
  if (MT940.test(xml))
    throw new Unreadable(
      t`This is MT940, an older format. Ask your bank for the same days as CAMT.053, a file that ends in .xml.`,
    )
  // Banks never define entities, and nested entities can expand a small file enormously.
  if (/<!DOCTYPE|<!ENTITY/i.test(xml))
    throw new Unreadable(t`The file contains definitions that no bank statement has.`)
  const document = new DOMParser().parseFromString(xml, 'application/xml')
  const statements = MESSAGES.flatMap((name) => all(document, name))
  if (statements.length === 0 || document.querySelector('parsererror'))
    throw new Unreadable(
      t`This is not a bank statement in the format CAMT.053, 052 or 054. Ask your bank for one: a file that ends in .xml.`,
    )
  const entries = statements.flatMap((statement) => all(statement, 'Ntry')).flatMap(entriesOf)
  return entries.map((entry, index) => ({ ...entry, key: String(index + 1) }))
}

/** Entries of several statements without duplicates: their periods may overlap. */
export function withoutCopies(statements: readonly (readonly BankEntry[])[]): BankEntry[] {
  const known = new Map<string, number>()
  const entries = statements.flatMap((statement) => {
    const own = new Map<string, number>()
    return statement.filter(({ key: _place, ...entry }) => {
      const same = JSON.stringify(entry)
      // One statement may contain two identical entries, both real.
      const count = (own.get(same) ?? 0) + 1
      own.set(same, count)
      const isNew = count > (known.get(same) ?? 0)
      if (isNew) known.set(same, count)
      return isNew
    })
  })
  return entries.map((entry, index) => ({ ...entry, key: String(index + 1) }))
}

/** Returns the transfers in one `Ntry` element: banks may combine several in one entry. */
function entriesOf(entry: Element): Omit<BankEntry, 'key'>[] {
  const details = all(entry, 'TxDtls')
  const amounts = details.map((one) => at(one, 'Amt') ?? at(one, 'AmtDtls', 'TxAmt', 'Amt'))
  const isBatch = details.length > 1 && amounts.every((amount) => amount !== undefined)
  return (isBatch ? details : [details.length > 1 ? undefined : details[0]]).map((one, index) => {
    const amount = (isBatch ? amounts[index] : undefined) ?? at(entry, 'Amt')
    const said = (...path: string[]) => (one ? textAt(one, ...path) : '')
    const direction = said('CdtDbtInd') || textAt(entry, 'CdtDbtInd')
    const isBack = [textAt(entry, 'RvslInd'), said('RvslInd')].some((back) => back === 'true' || back === '1')
    // Some banks give no booking day; the value date is close to it.
    const day = ['BookgDt', 'ValDt'].map(dayAt(entry)).find(isDay) ?? null
    const status = textAt(entry, 'Sts', 'Cd') || textAt(entry, 'Sts')
    const id = [
      said('Refs', 'AcctSvcrRef') || textAt(entry, 'AcctSvcrRef') || textAt(entry, 'NtryRef'),
      said('Refs', 'TxId'),
    ]
    const ownText = SAID_IN.flatMap((path) => textsAt(one ?? entry, path))
    return {
      amount: Number(amount?.textContent),
      currency: amount?.getAttribute('Ccy') ?? '',
      kind: direction !== 'CRDT' || isBack ? 'debit' : /^(PDNG|INFO|FUTR)$/.test(status) ? 'pending' : null,
      booked: day,
      name: unique([...namesOf(one, 'Dbtr'), ...namesOf(one, 'UltmtDbtr')]).join(' / '),
      account: said('RltdPties', 'DbtrAcct', 'Id', 'IBAN').slice(-4),
      text: unique([
        ...ownText,
        // For several transfers booked together, this text may name another payer.
        ...(isBatch && ownText.length > 0 ? [] : textsAt(entry, ['AddtlNtryInf'])),
        notProvided(said('Refs', 'EndToEndId')),
      ]).join(' '),
      ref: id.filter((part) => part !== '').join('/') || null,
    }
  })
}

/** Elements in which banks put the payer's message. */
const SAID_IN = [
  ['Ustrd'],
  ['CdtrRefInf', 'Ref'],
  ['RfrdDocInf', 'Nb'],
  ['AddtlRmtInf'],
  ['AddtlTxInf'],
] as const

/** The texts of all elements on a path of names. */
function textsAt(within: Element, [name, ...below]: readonly string[]): string[] {
  const found = name === undefined ? [] : all(within, name)
  return below.length === 0 ? found.map(written) : found.flatMap((one) => textsAt(one, below))
}

const namesOf = (details: Element | undefined, role: string) =>
  details ? [['Pty', 'Nm'], ['Nm']].map((path) => textAt(details, 'RltdPties', role, ...path)) : []
const dayAt = (entry: Element) => (name: string) =>
  (textAt(entry, name, 'Dt') || textAt(entry, name, 'DtTm')).slice(0, 10)
const unique = (texts: readonly string[]) => [...new Set(texts)].filter((text) => text !== '')
const notProvided = (id: string) => (/^NOTPROVIDED$/i.test(id) ? '' : id)
const written = (element: Element) => element.textContent.replace(/\s+/g, ' ').trim()
/** Searches by local name, since each version of the format has a different namespace. */
const all = (within: Document | Element, name: string) => [...within.getElementsByTagNameNS('*', name)]
const at = (element: Element, ...path: string[]): Element | undefined =>
  path.reduce<Element | undefined>(
    (found, name) => (found ? [...found.children].find(({ localName }) => localName === name) : undefined),
    element,
  )
const textAt = (element: Element, ...path: string[]) => {
  const found = at(element, ...path)
  return found && found.children.length === 0 ? written(found) : ''
}
