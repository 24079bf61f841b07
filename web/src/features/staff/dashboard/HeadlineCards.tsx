import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatGrowth } from '#domain/growth.ts'
import { formatMoney } from '#domain/money.ts'
import { language } from '#lib/language.ts'
import { Figures } from '#ui/Figures.tsx'
import type { AdminFigures } from './admin-figures.queries.ts'

/** The site's main figures. */
export function HeadlineCards({ activePlans, revenue }: AdminFigures) {
  return (
    <Figures component="div" columns={revenue ? 2 : 1}>
      <Headline title={t`Active Subscriptions`} change={activePlans.change}>
        {activePlans.value.toLocaleString(language)}
      </Headline>
      {revenue && (
        <Headline title={t`Total Revenue`} change={revenue.change}>
          {formatMoney(revenue.value)}
        </Headline>
      )}
    </Figures>
  )
}

interface HeadlineProps {
  title: string
  change: number | null
  children: ReactNode
}

function Headline({ title, change, children }: HeadlineProps) {
  return (
    <section aria-label={title}>
      <Text size="sm" c="dimmed" fw={550}>
        {title}
      </Text>
      <Text fz={28} fw={700} lh={1.25} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Text>
      {change !== null && (
        <Text size="sm" c="dimmed">
          <Trans>
            <Change percent={change} /> since the month began
          </Trans>
        </Text>
      )}
    </section>
  )
}

/** A change in percent with its sign, green for up and red for down. */
export function Change({ percent }: { percent: number }) {
  const color = percent > 0 ? 'herb' : percent < 0 ? 'beet' : undefined
  return (
    <Text
      component="span"
      inherit
      fw={650}
      {...(color && { c: `var(--mantine-color-${color}-text)` })}
      style={{ fontVariantNumeric: 'tabular-nums' }}
    >
      {formatGrowth(percent)}
    </Text>
  )
}
