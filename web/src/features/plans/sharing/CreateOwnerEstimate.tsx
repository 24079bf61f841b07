import { t } from '@lingui/core/macro'
import { Text } from '@mantine/core'
import type { CataloguePlan } from '#domain/catalogue.ts'
import { COINS_NOTE, memberPays, memberShare, ownerEstimate, ownerGets, percentOf } from '#domain/fees.ts'
import { formatMoney } from '#domain/money.ts'
import type { Settlement } from '#domain/plan.ts'
import classes from './CreateOwnerEstimate.module.css'

interface CreateOwnerEstimateProps {
  plan: CataloguePlan
  slots: number
  settlement: Settlement
  feeRate: number
}

/** The owner's earnings with every open slot taken; below them, a cautious estimate and what a member pays. */
export function CreateOwnerEstimate({ plan, slots, settlement, feeRate }: CreateOwnerEstimateProps) {
  const share = memberShare(plan.price, plan.maxMembers)
  const { earnings, effectivePrice } = ownerEstimate(plan.price, plan.maxMembers, slots)
  const yearly = plan.cycle === 'yearly'
  const [each, sum] = [formatMoney(share), formatMoney(ownerGets(share, slots))]
  const [about, cost] = [formatMoney(earnings), formatMoney(effectivePrice)]
  const pays = formatMoney(memberPays({ memberPrice: share, settlement, feeRate }))
  return (
    <section className={classes.panel} aria-label={t`Your estimate`}>
      <Text fw={550}>{t`You get`}</Text>
      <Text className={classes.earnings}>
        {yearly ? t`${slots} × ${each} = ${sum} a year` : t`${slots} × ${each} = ${sum} a month`}
      </Text>
      <Text size="sm">
        {t`About ${about} if one place in ten stays empty. Your plan then costs you about ${cost}.`}
      </Text>
      <Text size="sm" c="dimmed" mt="xs">
        {settlement === 'direct'
          ? t`Each member pays you ${pays}, no fee.`
          : `${t`Each member pays ${pays}, including the ${percentOf(feeRate)}% fee.`} ${COINS_NOTE}`}
      </Text>
    </section>
  )
}
