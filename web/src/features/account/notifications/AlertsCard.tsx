import { Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { local, read, storageKeys, write } from '#lib/storage.ts'
import { SectionCard } from '#ui/SectionCard.tsx'

const FLAGS = [
  {
    flag: storageKeys.notificationsEnabled,
    label: 'Show new notifications',
    description: 'You can always find them at the bell.',
  },
  {
    flag: storageKeys.pendingRequestsNotificationsEnabled,
    label: 'Warn me when requests can’t be loaded',
    description: 'When the number of join requests may be out of date.',
  },
]

/** Which toasts may pop up in this browser. Each is on until switched off. */
export function AlertsCard() {
  return (
    <SectionCard titleId="alerts-title" title="Pop-up messages">
      <Text c="dimmed">For this browser only.</Text>
      {FLAGS.map((flag) => (
        <FlagSwitch key={flag.flag} {...flag} />
      ))}
    </SectionCard>
  )
}

function FlagSwitch({ flag, label, description }: (typeof FLAGS)[number]) {
  const [on, setOn] = useState(() => read(local, flag) !== 'false')
  return (
    <Switch
      label={label}
      description={description}
      checked={on}
      onChange={({ currentTarget: { checked } }) => {
        write(local, flag, String(checked))
        setOn(checked)
      }}
    />
  )
}
