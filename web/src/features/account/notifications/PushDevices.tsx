import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core'
import { IconBellPlus, IconSend } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { deviceInWords } from '#lib/device.ts'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { useAddDevice, useRemoveDevice, useTestPush } from './push-devices.mutations.ts'
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
  const test = useTestPush()
  if (!devices)
    return (
      error && (
        <LoadAlert title="Your devices could not be loaded" problem={error} onRetry={() => void refetch()} />
      )
    )
  const isAdded = devices.some(({ is_current }) => is_current)
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
              Notify me on this device
            </Button>
          )}
          <Button
            variant="subtle"
            leftSection={<IconSend size={18} />}
            loading={test.isPending}
            onClick={() => test.mutate()}
          >
            Send a test
          </Button>
        </Group>
      )}
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
