import { t } from '@lingui/core/macro'
import { SimpleGrid, Text, Title } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { language } from '#lib/language.ts'
import { HeadingRow } from '#ui/HeadingRow.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import type { AdminFigures } from './admin-figures.queries.ts'
import { Change } from './HeadlineCards.tsx'

interface UserOverviewCardProps {
  users: AdminFigures['users']
  /** A link to all users. */
  action: ReactNode
}

/** Five figures about accounts. */
export function UserOverviewCard({ users, action }: UserOverviewCardProps) {
  const title = useId()
  const counts: [name: string, count: number][] = [
    [t`Total users`, users.total],
    [t`New this month`, users.newThisMonth],
    [t`Active users`, users.active],
    [t`Admins`, users.admins],
  ]
  return (
    <SurfaceCard component="section" aria-labelledby={title}>
      <HeadingRow mb="md" aside={action}>
        <Title order={2} fz="h3" id={title}>
          {t`User Overview`}
        </Title>
      </HeadingRow>
      <SimpleGrid component="dl" cols={{ base: 2, xs: 3, sm: 5 }} spacing="md" m={0}>
        {counts.map(([name, count]) => (
          <Count key={name} name={name}>
            {count.toLocaleString(language)}
          </Count>
        ))}
        {users.growth !== null && (
          <Count name={t`Growth`}>
            <Change percent={users.growth} />
          </Count>
        )}
      </SimpleGrid>
    </SurfaceCard>
  )
}

function Count({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fz={24} fw={650} style={{ fontVariantNumeric: 'tabular-nums' }}>
        {children}
      </Text>
    </div>
  )
}
