import { plural, t } from '@lingui/core/macro'
import { Card, Text, Title } from '@mantine/core'
import { splitOf } from '#domain/fees.ts'
import { formatMoney } from '#domain/money.ts'
import { planName } from '#domain/plan-name.ts'
import type { Offer } from './market.queries.ts'
import classes from './SplitFigure.module.css'

/** The plan's price, split into the owner's part and the part of each place. */
export function SplitFigure({ offer }: { offer: Offer }) {
  const { whole, share, places, rest } = splitOf(offer)
  return (
    <Card component="section" aria-labelledby="split">
      <Title order={2} size="h4" id="split" mb="sm">
        {t`Who pays what`}
      </Title>
      <dl className={classes.sums}>
        <div>
          <dt>{offer.ownerName}</dt>
          <dd>{formatMoney(rest, offer.currency)}</dd>
        </div>
        <div>
          <dt>
            {places === 1
              ? t`The other place`
              : t`Each of ${plural(places, { one: '# other place', other: '# other places' })}`}
          </dt>
          <dd>{formatMoney(share, offer.currency)}</dd>
        </div>
        <div data-whole>
          <dt>
            {offer.provider} {planName(offer.name)}
          </dt>
          <dd>{formatMoney(whole, offer.currency)}</dd>
        </div>
      </dl>
      <Text size="sm" c="dimmed" mt="xs">
        {offer.settlement === 'potluck'
          ? t`Per month, with every place taken, before the fee.`
          : t`Per month, with every place taken.`}
      </Text>
    </Card>
  )
}
