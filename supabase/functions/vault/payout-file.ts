// The payment file for the bank: a SEPA credit transfer for each withdrawal, as pain.001.001.09 of ISO 20022.
import { Document } from 'sepa'
import { type BankAccount, holderIn, ibanIn, inSepaLetters } from './bank-account.ts'
import { openStoredKey, type StoredKey } from './data-keys.ts'
import { BadInput, type Call } from './input.ts'
import { DoesNotOpen, type Owner, open, type Sealed } from './seal.ts'

const FORMAT = 'pain.001.001.09'

/** A row of `open_payout_file()`. */
interface Payment {
  withdrawal_id: string
  /** Whose it is, as staff know them. */
  name: string
  /** In euros, as a decimal number. */
  amount: string
  owner: Owner
  key: StoredKey | null
  account: { id: string; version: number; last4: string; sealed: Sealed } | null
}

interface File {
  id: number
  opened_by: string
  created_at: string
  payments: Payment[]
}

/**
 * Writes the file `{ file }` anew: `{ name, xml, leftOut }`. It is the same each time, so that nothing is lost with an answer. A
 * payment whose account does not open is left out, and named for staff.
 */
export async function writePayoutFile({ siteKeys, ask, store, body }: Call): Promise<{
  name: string
  xml: string
  leftOut: Pick<Payment, 'name' | 'amount'>[]
}> {
  const debtor = payer()
  const file = (await ask('open_payout_file', {
    p_file_id: (body as { file?: unknown })?.file ?? null,
  })) as File
  const transfers: Transfer[] = []
  const leftOut: Pick<Payment, 'name' | 'amount'>[] = []
  for (const payment of file.payments) {
    const { withdrawal_id: id, amount, name } = payment
    const account = await openAccount(payment)
    if (account) transfers.push({ id, amount, ...account })
    else leftOut.push({ name, amount })
  }
  if (transfers.length === 0) throw new BadInput('No bank account of this file opens. Please void it.')
  const name = `potluck-payouts-${file.id}`
  const xml = toXml(name, new Date(file.created_at), debtor, transfers)
  await store('note_payout_file', {
    p_user_id: file.opened_by,
    p_file_id: file.id,
    p_written: transfers.map(({ id }) => id),
  })
  return { name: `${name}.xml`, xml, leftOut }

  async function openAccount({ owner, key, account }: Payment): Promise<BankAccount | undefined> {
    try {
      if (!key || !account) throw new DoesNotOpen()
      const { id, version, sealed, last4 } = account
      const dataKey = await openStoredKey(siteKeys, key, owner)
      const opened = await open<BankAccount>(dataKey, sealed, { kind: 'bank-account', id, version })
      if (opened.iban.slice(-4) !== last4) throw new DoesNotOpen()
      return opened
    } catch (error) {
      if (!(error instanceof DoesNotOpen)) throw error
      return undefined
    }
  }
}

/** The site's own account. */
function payer(): BankAccount {
  const [iban, holder] = [Deno.env.get('PAYOUT_IBAN'), Deno.env.get('PAYOUT_HOLDER')]
  if (!iban || !holder)
    throw new BadInput('Which account pays is not set: the operator sets PAYOUT_IBAN and PAYOUT_HOLDER')
  return { iban: ibanIn(iban), holder: holderIn(holder) }
}

interface Transfer extends BankAccount {
  id: string
  amount: string
}

function toXml(name: string, created: Date, debtor: BankAccount, transfers: Transfer[]): string {
  const document = new Document(FORMAT)
  document.grpHdr.id = name
  document.grpHdr.created = created
  document.grpHdr.initiatorName = inSepaLetters(debtor.holder)
  const payment = document.createPaymentInfo()
  // The day the file is carried to the bank, which takes the next day it works on.
  payment.requestedExecutionDate = created
  payment.debtorName = inSepaLetters(debtor.holder)
  payment.debtorIBAN = debtor.iban
  document.addPaymentInfo(payment)
  for (const { id, iban, holder, amount } of transfers) {
    const transfer = payment.createTransaction()
    transfer.end2endId = id.replaceAll('-', '')
    transfer.creditorName = inSepaLetters(holder)
    transfer.creditorIBAN = iban
    transfer.amount = Number(amount)
    transfer.remittanceInfo = `Withdrawal of ${amount} coins`
    payment.addTransaction(transfer)
  }
  return document.toString()
}
