import { t } from '@lingui/core/macro'
import { Checkbox, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Loaded } from '#ui/Loaded.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import classes from './ChoiceTable.module.css'
import {
  type Channel,
  type Choice,
  notificationChoicesQuery,
  type Topic,
  useChoose,
} from './notification-choices.ts'
import { PushDevices } from './PushDevices.tsx'
import { pushDevicesQuery } from './push-devices.ts'

/** Settings for notifications outside the app: which topics, on which channels. */
export function NotificationsCard() {
  return (
    <SurfaceCard component="section" aria-label={t`Notifications`}>
      <Stack>
        <Text c="dimmed">
          {t`Everything appears in the app. We email what you haven’t read within ten minutes, and always before a charge.`}
        </Text>
        <Loaded of={useQuery(notificationChoicesQuery)} rows={4} failed={t`Your choices could not be loaded`}>
          {(choices) => (
            <>
              <PushDevices />
              <ChoiceTable choices={choices} />
            </>
          )}
        </Loaded>
      </Stack>
    </SurfaceCard>
  )
}

const TOPICS: Record<Topic, { name: string; examples: string }> = {
  messages: {
    name: t`New chat messages`,
    examples: t`From owners, members and people with questions`,
  },
  places: {
    name: t`Requests and places`,
    examples: t`Join requests, answers and changes`,
  },
  alerts: { name: t`Plan alerts`, examples: t`Places that match your alerts` },
  money: { name: t`Payments and money`, examples: t`What’s due or paid, refunds, withdrawals` },
  access: { name: t`Access and problems`, examples: t`New passwords and problem reports` },
  team: { name: t`Reviews and decisions`, examples: t`Reviews to write, and what our team decided` },
}
const CHANNELS: { channel: Channel; name: string }[] = [
  { channel: 'mail', name: t`Email` },
  { channel: 'push', name: t`Device` },
]

/** The table of choices: a row for each topic, a column for each channel. */
function ChoiceTable({ choices }: { choices: readonly Choice[] }) {
  const choose = useChoose()
  const { data: devices } = useQuery(pushDevicesQuery)
  // Without a registered device, a choice for devices has no effect.
  const isMoot = (channel: Channel) => channel === 'push' && devices?.length === 0
  return (
    <Table className={classes.table} verticalSpacing="sm" horizontalSpacing={0} aria-label={t`Notifications`}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>
            <VisuallyHidden>{t({ message: 'About', context: 'what about' })}</VisuallyHidden>
          </Table.Th>
          <Table.Th>{t`In app`}</Table.Th>
          {CHANNELS.map(({ channel, name }) => (
            <Table.Th key={channel}>{name}</Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {choices.map((choice) => {
          const { name, examples } = TOPICS[choice.topic]
          return (
            <Table.Tr key={choice.topic}>
              <Table.Th scope="row">
                {name}
                <Text size="sm" c="dimmed" fw={400}>
                  {examples}
                </Text>
              </Table.Th>
              <Table.Td>
                <IconCheck size={20} className={classes.always} aria-hidden />
                <VisuallyHidden>{t`Always`}</VisuallyHidden>
              </Table.Td>
              {CHANNELS.map(({ channel, name: way }) => (
                <Table.Td key={channel}>
                  <Checkbox
                    className={classes.box}
                    aria-label={`${name}: ${way}`}
                    checked={choice[channel] && !isMoot(channel)}
                    disabled={isMoot(channel)}
                    onChange={({ currentTarget: { checked } }) =>
                      choose.mutate({ topic: choice.topic, channel, wanted: checked })
                    }
                  />
                </Table.Td>
              ))}
            </Table.Tr>
          )
        })}
      </Table.Tbody>
    </Table>
  )
}
