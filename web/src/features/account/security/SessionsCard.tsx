import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Badge, Button, Checkbox, Group, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDeviceDesktop, IconDeviceMobile, IconLogout } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { camel, type RowOf } from '#lib/camel.ts'
import { useChange } from '#lib/change.ts'
import { deviceInWords } from '#lib/device.ts'
import { reasonOf, refusalOf, toAppError } from '#lib/errors.ts'
import { query } from '#lib/query.ts'
import { SECURITY } from '#lib/security.ts'
import { rpc, supabase } from '#lib/supabase.ts'
import { Collapsible } from '#ui/Collapsible.tsx'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { RelativeDate } from '#ui/RelativeDate.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { toastError, toastSuccess } from '#ui/toasts.ts'

/** The number of sessions in the open list, before the folded rest. */
const SHOWN = 3

/** The person's sessions, each of which can be ended. */
export function SessionsCard() {
  const sessions = useQuery(sessionsQuery)
  const end = useEndSessions()
  const row = (device: SignedInDevice) => (
    <Device
      key={device.id}
      device={device}
      ending={end.isPending && end.variables.id === device.id}
      onEnd={() => end.mutate({ id: device.id })}
    />
  )
  return (
    <SectionCard titleId="sessions-title" title={t`Where you are signed in`}>
      <Loaded of={sessions} rows={2} failed={t`Your devices could not be loaded`}>
        {(devices) => {
          const rest = devices.slice(SHOWN)
          return (
            <>
              {devices.slice(0, SHOWN).map(row)}
              {rest.length > 0 && (
                <Collapsible name={plural(rest.length, { one: '# more device', other: '# more devices' })}>
                  <Stack mt="xs">{rest.map(row)}</Stack>
                </Collapsible>
              )}
              {devices.length > 1 && <EndOthers />}
            </>
          )
        }}
      </Loaded>
    </SectionCard>
  )
}

/** Ends all other sessions, after asking whether programs lose their access too. */
function EndOthers() {
  const end = useEndSessions()
  const [asking, { open, close }] = useDisclosure()
  const [programs, setPrograms] = useState(true)
  return (
    <>
      <Button variant="default" w="fit-content" leftSection={<IconLogout size={18} />} onClick={open}>
        {t`Sign out everywhere else`}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t`Sign out everywhere else?`}
        confirmLabel={t`Sign out`}
        cancelLabel={t`Not now`}
        color="clay"
        busy={end.isPending}
        onConfirm={() => end.mutate({ id: null, programs }, { onSuccess: close })}
        onClose={close}
      >
        <Checkbox
          label={t`Also disconnect programs`}
          description={t`Tokens, webhooks and the link of your calendar stop working.`}
          checked={programs}
          onChange={({ currentTarget: { checked } }) => setPrograms(checked)}
        />
      </ConfirmDialog>
    </>
  )
}

function Device({ device, ending, onEnd }: { device: SignedInDevice; ending: boolean; onEnd: () => void }) {
  const name = deviceInWords(device.userAgent)
  const Icon = /iPhone|iPad|Android/.test(name) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <Group component="article" aria-label={name} gap="sm" align="flex-start" wrap="nowrap">
      <Icon size={24} aria-hidden style={{ flex: 'none', marginTop: 2 }} />
      <Stack gap={2} flex={1} miw={0}>
        <Group gap="xs">
          <Text fw={600}>{name}</Text>
          {device.isCurrent && (
            <Badge variant="light" color="herb">
              {t`This device`}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          {device.ip ? (
            <Trans>
              Last used <RelativeDate date={device.lastUsedAt} />, from {device.ip}
            </Trans>
          ) : (
            <Trans>
              Last used <RelativeDate date={device.lastUsedAt} />
            </Trans>
          )}
        </Text>
      </Stack>
      {!device.isCurrent && (
        <Button
          variant="subtle"
          color="beet"
          px="xs"
          flex="none"
          loading={ending}
          onClick={onEnd}
          aria-label={t`Sign out ${name}`}
        >
          {t`Sign out`}
        </Button>
      )}
    </Group>
  )
}

/** A session of the signed-in person. Times are ISO. */
type SignedInDevice = RowOf<'my_sessions', 'ip'>

/** The signed-in person's sessions, the last used first. */
const sessionsQuery = query({
  key: [...SECURITY, 'sessions'],
  load: async (signal) => (await rpc('my_sessions', {}, signal)).map(camel<SignedInDevice>),
})

interface Ending {
  /** The session to end; null for all except the current one. */
  id: string | null
  /** True to also end API tokens, webhooks and the calendar URL. */
  programs?: boolean
}

const useEndSessions = () =>
  useChange({
    run: async ({ id, programs }: Ending) => {
      if (programs) await rpc('disconnect_programs', {})
      if (id !== null) return rpc('end_session', { p_session_id: id })
      const { error } = await supabase().auth.signOut({ scope: 'others' })
      if (error) throw toAppError(error)
    },
    stale: [SECURITY],
    // Ending a single session needs no toast, since the session visibly leaves the list.
    done: (_ended, { id }) =>
      id === null && toastSuccess(t`Signed out everywhere else`, t`Only this device is signed in.`),
    failed: (problem) => toastError(t`Device not signed out`, refusalOf(problem) ?? reasonOf(problem)),
  })
