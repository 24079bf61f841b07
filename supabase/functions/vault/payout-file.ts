// The payment file for the bank: a SEPA credit transfer for each withdrawal, as pain.001.001.09 of ISO 20022.
import { Document } from 'sepa'
import { type BankAccount, holderIn, ibanIn, inSepaLetters } from './bank-account.ts'
import { openStoredKey, type StoredKey } from './data-keys.ts'
import { BadInput, type Call } from './input.ts'
import { DecryptionFailed, type Owner, open, type Sealed } from './seal.ts'

const FORMAT = 'pain.001.001.09'

/** A row of `open_payout_file()`. */
interface Payment {
  withdrawal_id: string
  /** In euros, as a decimal number. */
  amount: string
  owner: Owner
  key: StoredKey | null
  account: { id: string; version: number; last4: string; sealed: Sealed } | null
}

interface File {
  id: number
  created_at: string
  payments: Payment[]
}

/** Generates the file `{ file }`: `{ name, xml }`. The result is always the same, so a lost response does no harm. */
export async function writePayoutFile({ siteKeys, ask, body }: Call): Promise<{ name: string; xml: string }> {
  const debtor = payer()
  const file = (await ask('open_payout_file', {
    p_file_id: (body as { file?: unknown })?.file ?? null,
  })) as File
  const payments = await Promise.all(
    file.payments.map(async (payment) => {
      const { withdrawal_id: id, amount } = payment
      return { id, amount, ...(await openAccount(payment)) }
    }),
  )
  const name = `potluck-payouts-${file.id}`
  return { name: `${name}.xml`, xml: toXml(name, new Date(file.created_at), debtor, payments) }

  async function openAccount({ withdrawal_id, owner, key, account }: Payment): Promise<BankAccount> {
    try {
      if (!key || !account) throw new DecryptionFailed()
      const { id, version, sealed, last4 } = account
      const dataKey = await openStoredKey(siteKeys, key, owner)
      const opened = await open<BankAccount>(dataKey, sealed, { kind: 'bank-account', id, version })
      if (opened.iban.slice(-4) !== last4) throw new DecryptionFailed()
      return opened
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error
      throw new DecryptionFailed(`The bank account of the withdrawal ${withdrawal_id}`)
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
  // The day the file is uploaded; the bank uses its next working day.
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
