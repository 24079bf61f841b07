// Writes the payment file for the bank: a SEPA credit transfer for each withdrawal, as pain.001.001.09 of ISO 20022.
import { BadInput } from '../_shared/bad-input.ts'
import { type BankAccount, holderIn, ibanIn, inSepaLetters, last4Of } from './bank-account.ts'
import { openStoredKey, type StoredKey } from './data-keys.ts'
import { type Call, sentAs } from './input.ts'
import { DecryptionFailed, type Owner, open, type Sealed } from './seal.ts'

const FORMAT = 'pain.001.001.09'

/** A row of `open_payout_file()`. */
interface Payment {
  withdrawal_id: string
  /** The name of the person to pay, as staff know them. */
  name: string
  /** In EUR, with two decimals. */
  amount: string
  owner: Owner
  key: StoredKey | null
  account: { id: string; version: number; last4: string; sealed: Sealed } | null
}

interface PaymentFile {
  id: number
  /** The bank's reference for the file, unique among all sites. */
  reference: string
  opened_by: string
  created_at: string
  /** Today, in the banks' time zone. */
  day: string
  payments: Payment[]
}

/**
 * Writes the file that the body `{ file }` names. The result is the same all day, so a lost response does no harm. A
 * payment whose account cannot be decrypted is left out, and listed in `leftOut` for staff.
 */
export async function writePayoutFile({ siteKeys, ask, store, body }: Call): Promise<{
  name: string
  xml: string
  leftOut: Pick<Payment, 'name' | 'amount'>[]
}> {
  const debtor = payer()
  const file = (await ask('open_payout_file', {
    p_file_id: sentAs(body, 'file'),
  })) as PaymentFile
  const transfers: Transfer[] = []
  const leftOut: Pick<Payment, 'name' | 'amount'>[] = []
  for (const payment of file.payments) {
    const { withdrawal_id: id, amount, name } = payment
    const account = await openAccount(payment)
    if (account) transfers.push({ id, amount, ...account })
    else leftOut.push({ name, amount })
  }
  if (transfers.length === 0) throw new BadInput('payout_file_unreadable')
  const xml = toXml(file, debtor, transfers)
  await store('note_payout_file', {
    p_user_id: file.opened_by,
    p_file_id: file.id,
    p_written: transfers.map(({ id }) => id),
  })
  return { name: `potluck-payouts-${file.id}.xml`, xml, leftOut }

  async function openAccount({ owner, key, account }: Payment): Promise<BankAccount | undefined> {
    try {
      if (!key || !account) throw new DecryptionFailed()
      const { id, version, sealed, last4 } = account
      const dataKey = await openStoredKey(siteKeys, key, owner)
      const opened = await open<BankAccount>(dataKey, sealed, { kind: 'bank-account', id, version })
      if (last4Of(opened.iban) !== last4) throw new DecryptionFailed()
      return opened
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error
      return undefined
    }
  }
}

interface Payer extends BankAccount {
  town: string
  country: string
}

/**
 * Returns the site's own account. Since November 2026, banks accept only a structured address or none; town and country
 * are the minimum.
 */
function payer(): Payer {
  const [iban, holder, town, country] = ['IBAN', 'HOLDER', 'TOWN', 'COUNTRY'].map(
    (name) => Deno.env.get(`PAYOUT_${name}`) ?? '',
  ) as [string, string, string, string]
  if (!iban || !holder || !town || !/^[A-Z]{2}$/.test(country)) throw new BadInput('paying_account_unset')
  return {
    iban: ibanIn(iban),
    holder: holderIn(holder),
    town: inSepaLetters(town, iban).slice(0, 35),
    country,
  }
}

interface Transfer extends BankAccount {
  id: string
  amount: string
}

/** Returns an XML element. Names have passed `inSepaLetters`, which leaves nothing to escape. */
const tag = (name: string, ...inside: string[]) => `<${name}>${inside.join('')}</${name}>`
const account = (iban: string) => tag('Id', tag('IBAN', iban))

function toXml({ reference, created_at, day }: PaymentFile, debtor: Payer, transfers: Transfer[]): string {
  const nameOf = ({ holder }: BankAccount) => tag('Nm', inSepaLetters(holder, debtor.iban))
  const cents = transfers.reduce((sum, { amount }) => sum + BigInt(amount.replace('.', '')), 0n).toString()
  const totals = [
    tag('NbOfTxs', String(transfers.length)),
    tag('CtrlSum', `${cents.slice(0, -2)}.${cents.slice(-2)}`),
  ]
  const payments = transfers.map(({ id, amount, iban, holder }) =>
    tag(
      'CdtTrfTxInf',
      tag('PmtId', tag('EndToEndId', id.replaceAll('-', ''))),
      tag('Amt', `<InstdAmt Ccy="EUR">${amount}</InstdAmt>`),
      tag('Cdtr', nameOf({ iban, holder })),
      tag('CdtrAcct', account(iban)),
      tag('RmtInf', tag('Ustrd', `Withdrawal of ${amount} coins`)),
    ),
  )
  const header = tag(
    'GrpHdr',
    tag('MsgId', reference),
    tag('CreDtTm', new Date(created_at).toISOString().slice(0, 19)),
    ...totals,
    tag('InitgPty', nameOf(debtor)),
  )
  const order = tag(
    'PmtInf',
    tag('PmtInfId', reference),
    tag('PmtMtd', 'TRF'),
    tag('BtchBookg', 'false'),
    ...totals,
    tag('PmtTpInf', tag('SvcLvl', tag('Cd', 'SEPA'))),
    // If this is no working day, the bank uses the next one.
    tag('ReqdExctnDt', tag('Dt', day)),
    tag('Dbtr', nameOf(debtor), tag('PstlAdr', tag('TwnNm', debtor.town), tag('Ctry', debtor.country))),
    tag('DbtrAcct', account(debtor.iban)),
    tag('DbtrAgt', tag('FinInstnId', tag('Othr', tag('Id', 'NOTPROVIDED')))),
    tag('ChrgBr', 'SLEV'),
    ...payments,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:${FORMAT}">${tag('CstmrCdtTrfInitn', header, order)}</Document>`
}
