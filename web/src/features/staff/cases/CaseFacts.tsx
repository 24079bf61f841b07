import { plural, t } from '@lingui/core/macro'
import { Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { OUTCOMES } from './cases.messages.ts'
import type { CasePlan, Earlier } from './cases.queries.ts'

interface CasePlansProps {
  plans: readonly CasePlan[]
  /** The reporter's name; null once their account is deleted. */
  reporter: string | null
}

/** The plans of a reported person. */
export function CasePlans({ plans, reporter }: CasePlansProps) {
  if (plans.length === 0) return null
  return (
    <Facts title={t`Plans they share`}>
      {plans.map(({ id, name, status, members, isShared }) => (
        <li key={id}>
          {[
            name,
            plural(members, { one: '# person', other: '# people' }),
            isShared && reporter && t`${reporter} has or had a place`,
            status === 'rejected' && t`hidden`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </li>
      ))}
    </Facts>
  )
}

/** Earlier decisions about the same person, latest first. */
export function EarlierDecisions({ earlier }: { earlier: readonly Earlier[] }) {
  return (
    <Facts title={t`Decided before`}>
      {earlier.length === 0 && <li>{t`Nothing`}</li>}
      {earlier.map(({ measure, said, decidedAt, undone }) => (
        <li key={decidedAt}>
          <b>{OUTCOMES[measure]}</b>
          {undone && ` (${t`taken back`})`}, <RelativeDate date={decidedAt} size="sm" />: {said}
        </li>
      ))}
    </Facts>
  )
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Stack gap={2}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text
        component="ul"
        size="sm"
        c="dimmed"
        m={0}
        p={0}
        style={{ listStyle: 'none', overflowWrap: 'anywhere' }}
      >
        {children}
      </Text>
    </Stack>
  )
}
