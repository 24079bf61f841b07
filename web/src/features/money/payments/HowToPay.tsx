import { t } from '@lingui/core/macro'
import { Button, Text } from '@mantine/core'
import { digitsOf } from '@potluck/supabase/currency'
import type { Wish } from '@potluck/supabase/wish'
import { IconExternalLink } from '@tabler/icons-react'
import type { ReactElement } from 'react'
import { creditTransferText } from '#domain/credit-transfer.ts'
import { formatIban } from '#domain/format-iban.ts'
import { formatMoney } from '#domain/money.ts'
import { language } from '#lib/language.ts'
import { Collapsible } from '#ui/Collapsible.tsx'
import { CopyField } from '#ui/CopyField.tsx'
import { QrCode } from '#ui/QrCode.tsx'
import { usePhone } from '#ui/use-phone.ts'
import classes from './HowToPay.module.css'

interface HowToPayProps {
  /** The receiver's payment details; null if not given. */
  wish: Wish | null
  amount: number
  currency: string
  reference: string
  /** Hides the details behind a line, once the person has said that they paid. */
  folded?: boolean
}

/** The details for a bank transfer to another person. */
export function HowToPay({ folded = false, ...details }: HowToPayProps) {
  if (!folded) return <Details {...details} />
  return (
    <Collapsible name={t`How to pay`}>
      <Details {...details} />
    </Collapsible>
  )
}

function Details({ wish, amount, currency, reference }: Omit<HowToPayProps, 'folded'>) {
  const phone = usePhone()
  // A phone cannot scan its own screen, so it shows no QR code, only fields to copy.
  // The code is that of SEPA, which moves euros alone.
  const code =
    wish?.kind === 'iban' && !phone && currency === 'EUR'
      ? creditTransferText({ ...wish, amount, reference })
      : null
  return (
    <div className={classes.how}>
      <div className={classes.fields}>
        {wish && <WishDetails wish={wish} phone={phone} />}
        <CopyField
          label={t`Amount`}
          value={typedAmount(amount, currency)}
          shown={formatMoney(amount, currency)}
          named={phone}
        />
        <CopyField label={t`Reference`} value={reference} named={phone} />
      </div>
      {code && (
        <div className={classes.code}>
          <QrCode text={code} label={t`QR code for a transfer with your bank’s app`} />
          <Text size="sm" c="dimmed" ta="center">
            {t`Scan it with your bank’s app.`}
          </Text>
        </div>
      )}
    </div>
  )
}

/**
 * The amount to copy. Fields of banks take neither a currency nor thousands separators, and the decimal sign of their
 * language, for which the page's is the best guess.
 */
function typedAmount(amount: number, currency: string): string {
  const digits = digitsOf(currency)
  return new Intl.NumberFormat(language, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(amount)
}

function WishDetails({ wish, phone }: { wish: Wish; phone: boolean }): ReactElement {
  switch (wish.kind) {
    case 'iban':
      return (
        <>
          <CopyField label={t`Name`} value={wish.holder} named={phone} />
          <CopyField label="IBAN" value={wish.iban} shown={formatIban(wish.iban)} named={phone} />
        </>
      )
    case 'link':
      return (
        <Button
          component="a"
          href={wish.link}
          target="_blank"
          rel="noopener noreferrer nofollow"
          variant="default"
          rightSection={<IconExternalLink size={18} aria-hidden />}
        >
          {t`Open payment page`}
        </Button>
      )
    case 'text':
      return (
        <Text style={{ whiteSpace: 'pre-line', overflowWrap: 'anywhere' }} dir="auto">
          {wish.note}
        </Text>
      )
  }
}
