import { t } from '@lingui/core/macro'
import { Text, Title } from '@mantine/core'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { usePageName } from '#ui/PageTitle.tsx'
import { Fact, PrintedPage } from './PrintedPage.tsx'
import classes from './Receipt.module.css'

/** What a proof says of a place. Times are ISO, amounts in `currency`. */
export interface ProvenPlace {
  plan: string
  /** The owner's first name. */
  owner: string
  member: string
  since: string
  /** The share with its cycle, such as "€5.00 a month". */
  share: string
  paidUntil: string | null
  isDirect: boolean
  currency: string
  payments: readonly { receipt: string | null; paidAt: string | null; amount: number }[]
}

/** The receipts of this many months are listed. */
const MONTHS = 12

/** A proof of a place in a plan, to print. */
export function Proof({ place }: { place: ProvenPlace }) {
  const { plan, owner, member, since, share, paidUntil, isDirect, currency, payments } = place
  usePageName(t`Proof of a place`)
  const today = new Date()
  const from = new Date(today.getFullYear(), today.getMonth() - MONTHS, today.getDate())
  const receipts = payments.flatMap(({ receipt, paidAt, amount }) =>
    receipt && paidAt && new Date(paidAt) >= from ? [{ receipt, paidAt, amount }] : [],
  )
  return (
    <PrintedPage titleId="proof-title">
      <Title order={1} id="proof-title">
        {t`Proof of a place`}
      </Title>
      <Text>{fullDay(today.toISOString())}</Text>
      <dl className={classes.facts}>
        <Fact name={t`Member`}>{member}</Fact>
        <Fact name={t`Plan`}>{plan}</Fact>
        <Fact name={t`Owner`}>{owner}</Fact>
        <Fact name={t`Member since`}>{fullDay(since)}</Fact>
        <Fact name={t({ message: 'Share', context: 'of a price' })}>{share}</Fact>
        {paidUntil && <Fact name={t`Paid until`}>{fullDay(paidUntil)}</Fact>}
      </dl>
      {receipts.length > 0 && (
        <>
          <Title order={2} size="h4" mt="lg">
            {t`Receipts of the last ${MONTHS} months`}
          </Title>
          <dl className={classes.sums}>
            {receipts.map((one) => (
              <div key={one.receipt}>
                <dt>{t`${{ receipt: one.receipt }}, paid on ${{ day: fullDay(one.paidAt) }}`}</dt>
                <dd>{formatMoney(one.amount, currency)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
      <Text size="sm" c="dimmed" mt="lg">
        {t`This is no invoice, and not from the provider.`} {isDirect && t`${member} pays ${owner} directly.`}
      </Text>
    </PrintedPage>
  )
}
