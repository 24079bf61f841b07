import { plural, t } from '@lingui/core/macro'
import { List, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { fullDate, fullDay } from '#domain/dates.ts'
import { formatMoney } from '#domain/money.ts'
import { LEVEL_NAMES, LEVELS } from '#domain/standing.ts'
import { query } from '#lib/query.ts'
import { rpc } from '#lib/supabase.ts'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { planKeys } from './plans.queries.ts'

const changesSchema = z.array(
  z.object({
    id: z.string(),
    /** ISO timestamp. */
    changed_at: z.string(),
    /** Null for the site or a deleted account. */
    person: z.nullable(z.string()),
    what: z.enum(['places', 'renewal', 'private', 'instant', 'settlement', 'price', 'status']),
    was: z.nullable(z.string()),
    becomes: z.nullable(z.string()),
  }),
)
type Change = z.infer<typeof changesSchema>[number]

/** The history of a plan, newest first, for its owner and staff. */
const planChangesQuery = (planId: string) =>
  query({
    key: [...planKeys.ofId(planId), 'changes'],
    load: async (signal) =>
      changesSchema.parse(await rpc('plan_changes', { p_subscription_id: planId }, signal)),
  })

/** Lists who has changed what in a plan; renders nothing if nothing has changed. */
export function PlanChanges({ planId, currency }: { planId: string; currency: string }) {
  const { data: changes = [] } = useQuery(planChangesQuery(planId))
  if (changes.length === 0) return null
  return (
    <SurfaceCard component="section" aria-labelledby="changes-title">
      <Title order={2} size="h3" id="changes-title" mb="sm">
        {t`What has changed`}
      </Title>
      <List listStyleType="none" spacing="sm" styles={{ itemWrapper: { display: 'block' } }}>
        {changes.map((change) => (
          <List.Item key={change.id}>
            <Text>{sentence(change, currency)}</Text>
            <Text size="sm" c="dimmed">
              {fullDate(change.changed_at)}
              {change.person !== null && (
                <>
                  {' · '}
                  <bdi>{change.person}</bdi>
                </>
              )}
            </Text>
          </List.Item>
        ))}
      </List>
    </SurfaceCard>
  )
}

const STATUSES: Record<string, string> = {
  active: t`Approved by staff`,
  rejected: t`Rejected by staff`,
  pending: t`In review`,
}

function sentence({ what, was, becomes }: Change, currency: string): string {
  switch (what) {
    case 'places':
      return t`${plural(Number(becomes), { one: '# place', other: '# places' })} instead of ${was ?? ''}`
    case 'renewal':
      return t`Renews on ${becomes ? fullDay(becomes) : ''}`
    case 'private':
      return becomes === 'true'
        ? t`Private: only people with the link find it`
        : t`Public: everyone can find it`
    case 'instant': {
      const level = LEVELS.find((one) => one === becomes)
      return level ? t`Instant places from ${LEVEL_NAMES[level]} on` : t`The owner answers each request`
    }
    case 'settlement':
      return becomes === 'potluck' ? t`Members pay through Potluck` : t`Members pay the owner directly`
    case 'price':
      return t`A share costs ${formatMoney(Number(becomes), currency)} instead of ${formatMoney(Number(was), currency)}`
    case 'status':
      return STATUSES[becomes ?? ''] ?? ''
  }
}
