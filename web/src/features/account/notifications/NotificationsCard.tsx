import { Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { ChoiceTable } from './ChoiceTable.tsx'
import { notificationChoicesQuery } from './notification-choices.queries.ts'
import { PushDevices } from './PushDevices.tsx'

/** What reaches a person, and where. */
export function NotificationsCard() {
  const { data: choices, error, refetch } = useQuery(notificationChoicesQuery)
  return (
    <SurfaceCard component="section" aria-labelledby="notifications-title">
      <Stack gap="md">
        <Title order={2} id="notifications-title">
          Notifications
        </Title>
        <Text c="dimmed">
          The app has everything, as some of it needs your answer. What needs one, or answers you, we e-mail
          when you have not read it here within ten minutes; of a chat, once until you read it. Your devices
          show it at once, also while Potluck is closed, and never what somebody wrote.
        </Text>
        {choices && <ChoiceTable choices={choices} />}
        {choices && <PushDevices />}
        {!choices && !error && <RowsSkeleton rows={4} />}
        {!choices && error && (
          <LoadAlert
            title="Your choices could not be loaded"
            problem={error}
            onRetry={() => void refetch()}
          />
        )}
      </Stack>
    </SurfaceCard>
  )
}
