import { t } from '@lingui/core/macro'
import { Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { priceEach } from '#domain/catalogue.ts'
import { formatMoney } from '#domain/money.ts'
import { planPageQuery } from '#features/plans/shared-plans/plans.queries.ts'
import { ownerPartQuery } from './group.queries.ts'
import classes from './Receipt.module.css'
import { planSeatsQuery } from './seats.queries.ts'

interface WhoPaysProps {
  planId: string
  ownerId: string
}

/** What each person pays per billing cycle, and who pays for whom. The owner bears the rest. Nothing once the plan has ended. */
export function WhoPays({ planId, ownerId }: WhoPaysProps) {
  const plan = useQuery(planPageQuery(planId, ownerId)).data?.plan
  const { data: part } = useQuery(ownerPartQuery(planId))
  const seats = useQuery(planSeatsQuery(planId)).data?.filter(({ status }) => status !== 'ended')
  if (!plan || part === undefined || !seats?.length) return null
  const each = (amount: number) => priceEach(formatMoney(amount, plan.currency), plan.cycle)
  const payerOf = (carriedBy: string | null) => seats.find(({ id }) => id === carriedBy)?.memberName
  return (
    <section aria-labelledby="who-pays" style={{ maxWidth: 480 }}>
      <Title order={3} size="h4" id="who-pays">
        {t`How the price is shared`}
      </Title>
      <dl className={classes.sums}>
        {seats.map(({ id, memberName, memberPrice, carriedBy }) => {
          const payer = payerOf(carriedBy)
          return (
            <div key={id}>
              <dt>
                <bdi>{memberName}</bdi>
              </dt>
              <dd>
                {payer && memberPrice === 0
                  ? t`${payer} pays for ${memberName}`
                  : [each(memberPrice), payer && t`${payer} is asked to pay for ${memberName}`]
                      .filter(Boolean)
                      .join(' · ')}
              </dd>
            </div>
          )
        })}
        <div>
          <dt>
            <bdi>{plan.ownerName}</bdi>
          </dt>
          <dd>
            {part >= 0
              ? t`${{ price: each(part) }}, the rest`
              : t`Nothing: the others pay ${{ price: each(-part) }} more than it costs`}
          </dd>
        </div>
      </dl>
    </section>
  )
}
