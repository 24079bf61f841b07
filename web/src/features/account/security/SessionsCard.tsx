import { Badge, Button, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile, IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { deviceInWords } from '#lib/device.ts'
import { LoadAlert } from '#ui/LoadAlert.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { RowsSkeleton } from '#ui/Skeletons.tsx'
import { SurfaceCard } from '#ui/SurfaceCard.tsx'
import { useEndSessions } from './sessions.mutations.ts'
import { type SignedInDevice, sessionsQuery } from './sessions.queries.ts'

/** Where one is signed in, to end what should not be. */
export function SessionsCard() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const end = useEndSessions()
  return (
    <SurfaceCard component="section" aria-labelledby="sessions-title">
      <Stack gap="md">
        <Title order={2} id="sessions-title">
          Where you are signed in
        </Title>
        {!sessions && !error && <RowsSkeleton rows={2} />}
        {!sessions && error && (
          <LoadAlert
            title="Your devices could not be loaded"
            problem={error}
            onRetry={() => void refetch()}
          />
        )}
        {sessions?.map((session, index) => (
          <Fragment key={session.id}>
            {index > 0 && <Divider />}
            <Device
              session={session}
              ending={end.isPending && end.variables === session.id}
              onEnd={() => end.mutate(session.id)}
            />
          </Fragment>
        ))}
        {sessions && sessions.length > 1 && (
          <Group>
            <Button
              variant="default"
              leftSection={<IconLogout size={18} />}
              loading={end.isPending && end.variables === null}
              onClick={() => end.mutate(null)}
            >
              Sign out everywhere else
            </Button>
          </Group>
        )}
      </Stack>
    </SurfaceCard>
  )
}

interface DeviceProps {
  session: SignedInDevice
  ending: boolean
  onEnd: () => void
}

function Device({ session, ending, onEnd }: DeviceProps) {
  const name = deviceInWords(session.user_agent)
  const Icon = /iPhone|iPad|Android/.test(name) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <Group component="article" aria-label={name} gap="sm" align="flex-start">
      <Icon size={24} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Stack gap={2} flex="1 1 200px" miw={0}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {session.is_current && (
            <Badge variant="light" color="herb">
              This device
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          Last used <RelativeDate date={session.last_used_at} />
          {session.ip && `, from ${session.ip}`}
        </Text>
        <Text size="sm" c="dimmed">
          Signed in <RelativeDate date={session.created_at} />
        </Text>
      </Stack>
      {!session.is_current && (
        <Button
          variant="subtle"
          color="beet"
          loading={ending}
          onClick={onEnd}
          aria-label={`Sign out ${name}`}
        >
          Sign out
        </Button>
      )}
    </Group>
  )
}
