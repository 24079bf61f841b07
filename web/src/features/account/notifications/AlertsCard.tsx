import { t } from '@lingui/core/macro'
import { Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { local, read, storageKeys, write } from '#lib/storage.ts'
import { SectionCard } from '#ui/SectionCard.tsx'

const FLAGS = [
  {
    flag: storageKeys.notificationsEnabled,
    label: t`Show new notifications`,
    description: t`You can always find them at the bell.`,
  },
  {
    flag: storageKeys.pendingRequestsNotificationsEnabled,
    label: t`Warn me when requests can’t be loaded`,
    description: t`When the number of join requests may be out of date.`,
  },
]

/** Which toasts may pop up in this browser. Each is on until switched off. */
export function AlertsCard() {
  return (
    <SectionCard titleId="alerts-title" title={t`Pop-up messages`}>
      <Text c="dimmed">{t`For this browser only.`}</Text>
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
