import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconBellPlus, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deviceInWords } from '#lib/device.ts'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import {
  type PushDevice,
  pushDevicesQuery,
  useAddDevice,
  useRemoveDevice,
  useTestPush,
} from './push-devices.ts'
import { type Ability, abilityOf } from './push-subscription.ts'

const WHY_NOT: Record<Exclude<Ability, 'ready'>, string> = {
  denied: t`Notifications are blocked. Allow them for this site in your browser’s settings.`,
  'home-screen': t`On iPhone or iPad, tap Share, then “Add to Home Screen”, and open Potluck from there.`,
  unsupported: t`This browser doesn’t support notifications.`,
}

/** The devices that show notifications while Potluck is closed, with a button to add the device in use. */
export function PushDevices() {
  const loaded = useQuery(pushDevicesQuery)
  const [ability, setAbility] = useState(abilityOf)
  const add = useAddDevice()
  const remove = useRemoveDevice()
  const test = useTestPush()
  const isAdded = loaded.data?.some(({ isCurrent }) => isCurrent)
  return (
    <Loaded of={loaded} pending={null} failed={t`Your devices could not be loaded`}>
      {(devices) => (
        <Stack gap="sm">
          {devices.length > 0 && (
            <Title order={2} size="h4">
              {t`Your devices`}
            </Title>
          )}
          {devices.map((device) => (
            <Device
              key={device.id}
              device={device}
              removing={remove.isPending && remove.variables.id === device.id}
              onRemove={() => remove.mutate(device)}
            />
          ))}
          {!isAdded && ability !== 'ready' && (
            <Text size="sm" c="dimmed">
              {WHY_NOT[ability]}
            </Text>
          )}
          {(devices.length > 0 || ability === 'ready') && (
            <Group>
              {!isAdded && ability === 'ready' && (
                <Button
                  variant="default"
                  leftSection={<IconBellPlus size={18} />}
                  loading={add.isPending}
                  onClick={() => add.mutate(undefined, { onSettled: () => setAbility(abilityOf()) })}
                >
                  {t`Turn on for this device`}
                </Button>
              )}
              {devices.length > 0 && (
                <Button
                  variant="subtle"
                  leftSection={<IconSend size={18} />}
                  loading={test.isPending}
                  onClick={() => test.mutate()}
                >
                  {t`Send test notification`}
                </Button>
              )}
            </Group>
          )}
        </Stack>
      )}
    </Loaded>
  )
}

interface DeviceProps {
  device: PushDevice
  removing: boolean
  onRemove: () => void
}

function Device({ device, removing, onRemove }: DeviceProps) {
  const name = deviceInWords(device.userAgent)
  return (
    <Group component="article" aria-label={name} gap="sm" justify="space-between">
      <Stack gap={2} flex="1 1 160px" miw={0}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {device.isCurrent && (
            <Badge variant="light" color="herb">
              {t`This device`}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {device.lastSuccessAt ? (
            <Trans>
              Last notified <RelativeDate date={device.lastSuccessAt} />
            </Trans>
          ) : (
            <Trans>
              Added <RelativeDate date={device.createdAt} />
            </Trans>
          )}
        </Text>
      </Stack>
      <Button
        variant="subtle"
        color="beet"
        loading={removing}
        onClick={onRemove}
        aria-label={t`Remove ${name}`}
      >
        {t`Remove`}
      </Button>
    </Group>
  )
}
