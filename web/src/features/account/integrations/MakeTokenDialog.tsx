import { plural, t } from '@lingui/core/macro'
import { Button, Checkbox, Group, Select, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { ShareLink } from '#ui/ShareLink.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { SCOPES, type Scope, useMakeToken } from './tokens.ts'

const DAYS = [7, 30, 90, LIMITS.longestToken]

interface MakeTokenDialogProps {
  /** The scopes that are selected initially. */
  scopes: Scope[]
  onClose: () => void
}

/** The dialog to create a token, which it shows once. */
export function MakeTokenDialog({ scopes: first, onClose }: MakeTokenDialogProps) {
  useFocusReturn()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>(first)
  const [days, setDays] = useState('90')
  const make = useMakeToken()
  return (
    <Dialog opened onClose={onClose} title={make.data ? t`Copy your token` : t`Create a token`}>
      {make.data ? (
        <Stack gap="md">
          <ShareLink link={make.data} copies={t`Copy token`} />
          <Text size="sm">{t`We show it only once. Keep it like a password: whoever has it can do what it allows.`}</Text>
          <Group justify="flex-end">
            <Button onClick={onClose}>{t`Done`}</Button>
          </Group>
        </Stack>
      ) : (
        <ActionForm
          action={t`Create token`}
          busy={make.isPending}
          disabled={name.trim() === '' || scopes.length === 0}
          onSubmit={() => make.mutate({ name, scopes: scopes as Scope[], days: Number(days) })}
        >
          <TextInput
            label={t`Name`}
            description={t`What will use it, such as “Home Assistant”.`}
            maxLength={LIMITS.longestTokenName}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
            data-autofocus
          />
          <Checkbox.Group label={t`It may`} value={scopes} onChange={setScopes}>
            <Stack gap="xs" mt={4}>
              {Object.entries(SCOPES).map(([scope, { title, text }]) => (
                <Checkbox key={scope} value={scope} label={title} description={text} />
              ))}
            </Stack>
          </Checkbox.Group>
          <Select
            label={t`Works for`}
            data={DAYS.map((count) => ({
              value: String(count),
              label: plural(count, { one: '# day', other: '# days' }),
            }))}
            value={days}
            allowDeselect={false}
            onChange={(chosen) => setDays(chosen ?? days)}
          />
        </ActionForm>
      )}
    </Dialog>
  )
}
