import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconBellPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deviceInWords } from '#lib/device.ts'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { useAddDevice, useRemoveDevice } from './push-devices.mutations.ts'
import { type PushDevice, pushDevicesQuery } from './push-devices.queries.ts'
import { type Ability, abilityOf } from './this-browser.ts'

const WHY_NOT: Record<Exclude<Ability, 'ready'>, string> = {
  denied:
    'This browser does not let Potluck notify you. Allow notifications for this site in the browser’s settings, then come back here.',
  'home-screen':
    'On an iPhone or iPad, add Potluck to the home screen first: tap Share, then “Add to Home Screen”. Open it from there and come back here.',
  unsupported: 'This browser cannot notify you while Potluck is closed.',
}

/** The devices that show notifications while Potluck is closed, and this one among them or not. */
export function PushDevices() {
  const { data: devices, error, refetch } = useQuery(pushDevicesQuery)
  const [ability, setAbility] = useState(abilityOf)
  const add = useAddDevice()
  const remove = useRemoveDevice()
  if (!devices)
    return (
      error && (
        <LoadAlert title="Your devices could not be loaded" problem={error} onRetry={() => void refetch()} />
      )
    )
  return (
    <Stack gap="sm">
      <Title order={3} size="h4">
        Your devices
      </Title>
      {devices.map((device) => (
        <Device
          key={device.id}
          device={device}
          removing={remove.isPending && remove.variables.id === device.id}
          onRemove={() => remove.mutate(device)}
        />
      ))}
      {!devices.some(({ is_current }) => is_current) &&
        (ability === 'ready' ? (
          <Group>
            <Button
              variant="default"
              leftSection={<IconBellPlus size={18} />}
              loading={add.isPending}
              onClick={() => add.mutate(undefined, { onSettled: () => setAbility(abilityOf()) })}
            >
              Notify me on this device
            </Button>
          </Group>
        ) : (
          <Text size="sm" c="dimmed">
            {WHY_NOT[ability]}
          </Text>
        ))}
    </Stack>
  )
}

interface DeviceProps {
  device: PushDevice
  removing: boolean
  onRemove: () => void
}

function Device({ device, removing, onRemove }: DeviceProps) {
  const name = deviceInWords(device.user_agent)
  return (
    <Group component="article" aria-label={name} gap="sm" justify="space-between">
      <Stack gap={2} flex="1 1 160px" miw={0}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {device.is_current && (
            <Badge variant="light" color="herb">
              This device
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {device.last_success_at ? (
            <>
              Last notified <RelativeDate date={device.last_success_at} />
            </>
          ) : (
            <>
              Added <RelativeDate date={device.created_at} />
            </>
          )}
        </Text>
      </Stack>
      <Button
        variant="subtle"
        color="beet"
        loading={removing}
        onClick={onRemove}
        aria-label={`Remove ${name}`}
      >
        Remove
      </Button>
    </Group>
  )
}
