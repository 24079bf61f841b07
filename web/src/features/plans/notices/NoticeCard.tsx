import { t } from '@lingui/core/macro'
import { Group, Text } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { priceEach } from '#domain/catalogue.ts'
import { fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import type { Cycle } from '#domain/plan.ts'
import { SectionCard } from '#ui/SectionCard.tsx'
import type { Notice } from './notices.queries.ts'

interface NoticeCardProps {
  notice: Notice
  plan: { currency: string; cycle: Cycle }
  /** What the reader can do, by kind. */
  todo?: Record<Notice['kind'], string>
  /** Buttons. */
  children?: ReactNode
}

/** One notice of a plan: what the provider does and when, the owner's text, and what to do. */
export function NoticeCard({ notice, plan, todo, children }: NoticeCardProps) {
  const { kind, price, note } = notice
  const day = fullDay(notice.day)
  const cost = priceEach(formatMoney(price, plan.currency), plan.cycle)
  return (
    <SectionCard
      titleId={useId()}
      title={kind === 'price' ? t`New price from ${day}` : t`Pause from ${day}`}
      gap="xs"
    >
      <Text>
        {kind === 'price'
          ? t`The whole plan then costs ${{ price: cost }}.`
          : t`The provider pauses the plan.`}{' '}
        {todo?.[kind]}
      </Text>
      {note && (
        <Text c="dimmed" dir="auto" style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-line' }}>
          {note}
        </Text>
      )}
      {children && (
        <Group gap="sm" mt="xs">
          {children}
        </Group>
      )}
    </SectionCard>
  )
}
