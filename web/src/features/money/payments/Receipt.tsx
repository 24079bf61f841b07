import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text, Title } from '@mantine/core'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { claimOf, type Payment, paidHow } from '#domain/payments.ts'
import { usePageName } from '#ui/PageTitle.tsx'
import { PersonLink } from '#ui/PersonLink.tsx'
import { InvoiceLinks } from './InvoiceLinks.tsx'
import { Fact, PrintedPage } from './PrintedPage.tsx'
import { periodText } from './period-text.ts'
import classes from './Receipt.module.css'

/** A printable receipt for a payment, on one page. */
export function Receipt({ payment }: { payment: Payment }) {
  const { receiptNumber, paidAt, planName, memberName, ownerName, share, fee, amount, returned, reference } =
    payment
  const { owedBack, repaidAt, currency } = payment
  usePageName(t`Receipt ${receiptNumber ?? ''}`)
  return (
    <PrintedPage titleId="receipt-title">
      <Text className={classes.amount}>{formatMoney(amount, currency)}</Text>
      {paidAt && (
        <Text>
          <Trans>Paid on {fullDay(paidAt)}</Trans>
        </Text>
      )}
      <Title order={1} size="h4" mt="xs" id="receipt-title">
        <Trans>Receipt {receiptNumber}</Trans>
      </Title>
      <dl className={classes.facts}>
        <Fact name={t({ message: 'From', context: 'person' })}>
          <PersonLink userId={payment.memberPage} name={memberName} />
        </Fact>
        <Fact name={t({ message: 'To', context: 'person' })}>
          <PersonLink userId={payment.ownerId} name={ownerName} />
        </Fact>
        <Fact name={t`For`}>
          <Trans>A place in {planName}</Trans>
        </Fact>
        <Fact name={t`Period`}>{periodText(payment)}</Fact>
        <Fact name={t`Payment method`}>
          {paidHow(payment)}
          {payment.receivedBy === 'silence' && <div>{t`Counts as received without an answer.`}</div>}
        </Fact>
        {payment.sellerName && (
          <Fact name={t`Fee charged by`}>
            {payment.sellerName}
            {payment.sellerAddress && <div>{payment.sellerAddress}</div>}
            {payment.sellerTaxNumber && (
              <div>
                <Trans>Tax number {payment.sellerTaxNumber}</Trans>
              </div>
            )}
          </Fact>
        )}
        {payment.invoices.length > 0 && (
          <Fact name={t`Invoice of the fee, as PDF`}>
            <InvoiceLinks invoices={payment.invoices} />
          </Fact>
        )}
        {payment.settlement === 'direct' && <Fact name={t`Reference`}>{reference}</Fact>}
      </dl>
      <dl className={classes.sums}>
        <Sum name={t`Share, to ${ownerName}`} amount={share} currency={currency} />
        <Sum name={t`Fee, to this site`} amount={fee} currency={currency} />
        <Sum name={t`Paid`} amount={amount} currency={currency} strong />
        {returned > 0 && <Sum name={t`Refunded`} amount={returned} currency={currency} />}
        {owedBack > 0 && (
          <Sum
            name={
              !repaidAt
                ? t`Owed back`
                : claimOf(payment, 'repayment')?.status === 'unanswered'
                  ? t`Counts as paid back on ${fullDay(repaidAt)}, without an answer`
                  : t`Paid back on ${fullDay(repaidAt)}`
            }
            amount={owedBack}
            currency={currency}
          />
        )}
      </dl>
    </PrintedPage>
  )
}

interface SumProps {
  name: string
  amount: number
  currency: string
  strong?: boolean
}

function Sum({ name, amount, currency, strong = false }: SumProps) {
  return (
    <div data-strong={strong || undefined}>
      <dt>{name}</dt>
      <dd>{formatMoney(amount, currency)}</dd>
    </div>
  )
}
