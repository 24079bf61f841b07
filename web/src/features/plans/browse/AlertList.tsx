import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Button, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#ui/Loaded.tsx'
import { LinkAnchor } from '#ui/links.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { useStopLooking } from './alerts.mutations.ts'
import { alertsQuery } from './alerts.queries.ts'
import { alertText } from './market-filters.ts'

/** A person's plan alerts, each with a button to end it; renders nothing if there are none. */
export function AlertList({ userId }: { userId: string }) {
  const stop = useStopLooking(userId)
  return (
    <Loaded
      of={useQuery(alertsQuery(userId))}
      pending={null}
      failed={t`Your plan alerts could not be loaded`}
      empty={null}
    >
      {(alerts) => (
        <SectionCard titleId="alerts-list" title={t`Plan alerts`} gap="xs">
          {alerts.map((alert) => {
            const name = alertText(alert.search)
            return (
              <Group key={alert.id} wrap="nowrap" gap="sm" justify="space-between">
                <div style={{ minWidth: 0 }}>
                  <LinkAnchor to="/plans" search={alert.search}>
                    {name}
                  </LinkAnchor>
                  <Text size="sm" c="dimmed">
                    <Trans>
                      We’ll tell you when a place opens. Ends <RelativeDate date={alert.until} />
                    </Trans>
                  </Text>
                </div>
                <Button
                  variant="subtle"
                  px="sm"
                  aria-label={t`Stop alerts for ${name}`}
                  onClick={() => stop.mutate(alert)}
                >
                  {t`Stop alerts`}
                </Button>
              </Group>
            )
          })}
        </SectionCard>
      )}
    </Loaded>
  )
}
