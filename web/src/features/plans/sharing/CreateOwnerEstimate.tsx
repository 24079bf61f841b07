import { t } from '@lingui/core/macro'
import { Group, Text } from '@mantine/core'
import { type CataloguePlan, perCycle } from '#domain/catalogue.ts'
import { earningsNote, memberPays, memberShare, ownerEstimate, percentOf } from '#domain/fees.ts'
import type { Settlement } from '#domain/plan.ts'
import { Money } from '#ui/Money.tsx'
import classes from './CreateOwnerEstimate.module.css'

interface CreateOwnerEstimateProps {
  plan: CataloguePlan
  slots: number
  settlement: Settlement
  feeRate: number
}

/** The owner's possible earnings with every open slot taken, marked as an estimate. */
export function CreateOwnerEstimate({ plan, slots, settlement, feeRate }: CreateOwnerEstimateProps) {
  const { earnings, effectivePrice } = ownerEstimate(plan.price, plan.maxMembers, slots)
  const per = perCycle(plan.cycle)
  const share = memberShare(plan.price, plan.maxMembers)
  const direct = settlement === 'direct'
  return (
    <section className={classes.panel} aria-label={t`Your estimate`}>
      <Text fw={550}>{t`You could earn about`}</Text>
      <Money amount={earnings} per={per} fz={32} fw={700} lh={1.2} className={classes.earnings} />
      <dl className={classes.rows}>
        <Row label={t`Your plan would cost you about`} amount={effectivePrice} per={per} />
        <Row
          label={
            direct
              ? t`Each member pays you, no fee`
              : t`Each member pays, including the ${percentOf(feeRate)}% fee`
          }
          amount={memberPays({ memberPrice: share, settlement, feeRate })}
          per={per}
        />
      </dl>
      <Text size="sm" c="dimmed">
        {t`This is a careful estimate, one place in ten empty.`} {earningsNote(settlement)}
      </Text>
    </section>
  )
}

function Row({ label, amount, per }: { label: string; amount: number; per: string }) {
  return (
    <Group justify="space-between" gap="xs">
      <dt>{label}</dt>
      <dd className={classes.amount}>
        <Money amount={amount} per={per} fw={650} />
      </dd>
    </Group>
  )
}
