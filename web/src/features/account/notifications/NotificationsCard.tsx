import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#ui/Loaded.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { ChoiceTable } from './ChoiceTable.tsx'
import { notificationChoicesQuery } from './notification-choices.ts'
import { PushDevices } from './PushDevices.tsx'

/** What reaches a person, and where. */
export function NotificationsCard() {
  return (
    <SectionCard titleId="notifications-title" title="Notifications">
      <Text c="dimmed">
        The app has everything, as some of it needs your answer. What needs one, or answers you, we e-mail
        when you have not read it here within ten minutes; of a chat, once until you read it. Your devices
        show it at once, also while Potluck is closed, and never what somebody wrote.
      </Text>
      <Loaded of={useQuery(notificationChoicesQuery)} rows={4} failed="Your choices could not be loaded">
        {(choices) => (
          <>
            <ChoiceTable choices={choices} />
            <PushDevices />
          </>
        )}
      </Loaded>
    </SectionCard>
  )
}
