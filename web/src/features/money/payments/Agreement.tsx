import { plural, t } from '@lingui/core/macro'
import { Button, type ButtonProps, Stack } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import type { ReactNode } from 'react'
import { formatMoney } from '#domain/money.ts'
import { type Duty, payButtonText, priceText } from '#domain/pay-button.ts'
import { SellerImprint } from '#features/account/sellers/SellerNote.tsx'
import { config } from '#lib/config.ts'
import classes from './Agreement.module.css'
import { BeginAtOnce } from './BeginAtOnce.tsx'
import type { Quote } from './seats.queries.ts'

interface AgreementProps {
  duty: Duty
  /** The provider's and the plan's name. */
  planName: string
  ownerName: string
  quote: Quote
  /**
   * The wish for an immediate start, which a new contract with the site or a trader requires; null for other contracts.
   */
  wish: { checked: boolean; onChange: (checked: boolean) => void } | null
  /** The button that submits the surrounding form. */
  button?: ButtonProps
}

/**
 * The button with which a person agrees to pay and, right above it, the summary that the law requires there. Every way
 * to get a place uses this component, so that neither is shown without the other.
 */
export function Agreement({ duty, planName, ownerName, quote, wish, button }: AgreementProps) {
  return (
    <Stack gap="sm">
      <section aria-label={t`What you agree to`} className={classes.panel}>
        <dl className={classes.lines}>
          <Line name={t`Service`}>{t`${planName}, shared by ${ownerName}`}</Line>
          <Line name={t`Price`}>
            {priceText(quote)}
            {quote.settlement === 'direct' && t`, no fee`}
          </Line>
          <Line name={t`Payment`}>{paymentText(duty, quote, ownerName)}</Line>
          <Line name={t`Term`}>
            {quote.cycleMonths === null
              ? t`Month by month until you leave, at once or at the end of a month`
              : t`Until you leave, at once or on a payment day`}
          </Line>
          <Line name={t`Sold by`}>
            {sellerText(quote, ownerName)}
            {quote.seller && <SellerImprint seller={quote.seller} />}
          </Line>
          {(wish || quote.settlement === 'direct') && (
            <Line name={t`Right to withdraw`}>{wish ? withdrawalText() : t`Not between private people`}</Line>
          )}
        </dl>
      </section>
      {wish && <BeginAtOnce {...wish} />}
      <Button type="submit" fullWidth className={classes.button ?? ''} {...button}>
        {payButtonText(duty, quote, ownerName)}
      </Button>
    </Stack>
  )
}

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function paymentText(duty: Duty, { settlement, cycleMonths }: Quote, owner: string): string {
  if (settlement === 'direct')
    return {
      join: t`To ${owner} directly, from today on`,
      ask: t`To ${owner} directly, once approved`,
      accept:
        cycleMonths === null
          ? t`To ${owner} directly, from your next month on`
          : t`To ${owner} directly, from your next payment on`,
    }[duty]
  const notice = plural(LIMITS.renewalNoticeHours / 24, {
    one: 'we tell you # day before each renewal',
    other: 'we tell you # days before each renewal',
  })
  return {
    join: t`Charged when you join; ${notice}`,
    ask: t`Charged when ${owner} approves; ${notice}`,
    accept: t`Charged from your next month on; ${notice}`,
  }[duty]
}

/** Names the seller of each part of the price. */
function sellerText({ settlement, share, fee, vat, seller }: Quote, name: string): string {
  const operator = config().operatorName
  const owner = seller ? (seller.isTrader ? t`${name} (trader)` : t`${name} (private person)`) : name
  if (settlement === 'direct') return t`${owner}; ${operator} is not part of the contract`
  const [place, service] = [formatMoney(share), formatMoney(fee)]
  return vat
    ? t`${owner}: the place, ${place}. ${operator}: its service, ${service} incl. VAT`
    : t`${owner}: the place, ${place}. ${operator}: its service, ${service}`
}

const withdrawalText = () =>
  plural(LIMITS.contractWithdrawalPeriodHours / 24, {
    one: 'Within # day, without a reason',
    other: 'Within # days, without a reason',
  })
