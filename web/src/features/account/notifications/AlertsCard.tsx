import { t } from '@lingui/core/macro'
import { Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { local, read, storageKeys, toastsAreOn, write } from '#lib/storage.ts'
import { SectionCard } from '#ui/SectionCard.tsx'

const FLAGS = [
  {
    flag: storageKeys.notificationsEnabled,
    isOn: toastsAreOn,
    label: t`Show pop-up messages`,
    description: t`Without them, new notifications are at the bell, and problems are shown at the top of the page.`,
  },
  {
    flag: storageKeys.pendingRequestsNotificationsEnabled,
    isOn: () => read(local, storageKeys.pendingRequestsNotificationsEnabled) !== 'false',
    label: t`Warn me when requests can’t be loaded`,
    description: t`When the number of join requests may be out of date.`,
  },
]

/** The setting for toasts in this browser. */
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

function FlagSwitch({ flag, isOn, label, description }: (typeof FLAGS)[number]) {
  const [on, setOn] = useState(isOn)
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
