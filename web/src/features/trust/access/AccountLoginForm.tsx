import { t } from '@lingui/core/macro'
import { ActionIcon, Button, Group, Stack, Text, TextInput, Tooltip } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSaveLogin } from './access.mutations.ts'
import { LOGIN_FAILED } from './vault.messages.ts'
import { accountLoginQuery } from './vault.queries.ts'

/** Lets the owner set the login name of the shared account. */
export function AccountLoginForm({ planId }: { planId: string }) {
  const { data: login, isError } = useQuery(accountLoginQuery(planId))
  const [draft, setDraft] = useState<string | null>(null)
  const save = useSaveLogin(planId)

  if (draft === null)
    return (
      <Group justify="space-between" wrap="nowrap">
        <Stack gap={2} miw={0}>
          <Text size="sm" c="dimmed">
            {t`Account login`}
          </Text>
          <Text
            fw={login ? 600 : 400}
            {...(login ? {} : { c: 'dimmed' })}
            style={{ overflowWrap: 'anywhere' }}
          >
            {isError
              ? LOGIN_FAILED
              : login === undefined
                ? '…'
                : (login ?? t`Add the email or username members sign in with.`)}
          </Text>
        </Stack>
        <Tooltip label={t`Edit login`}>
          <ActionIcon aria-label={t`Edit account login`} onClick={() => setDraft(login ?? '')}>
            <IconPencil size={20} />
          </ActionIcon>
        </Tooltip>
      </Group>
    )

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const changed = draft.trim()
        // Only a change is saved, since members are notified of each new version.
        if (changed !== (login ?? '')) save.mutate(changed)
        setDraft(null)
      }}
    >
      <TextInput
        label={t`Account login`}
        description={t`The email or username at the provider. We tell members about every change.`}
        value={draft}
        maxLength={LIMITS.longestLoginName}
        autoComplete="off"
        autoFocus
        onChange={(event) => setDraft(event.currentTarget.value)}
      />
      <Group justify="flex-end" gap="sm" mt="sm">
        <Button variant="default" onClick={() => setDraft(null)}>
          {t`Cancel`}
        </Button>
        <Button type="submit">{t`Save login`}</Button>
      </Group>
    </form>
  )
}
