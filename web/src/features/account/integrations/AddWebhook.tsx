import { t } from '@lingui/core/macro'
import { Checkbox, Stack, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useState } from 'react'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { useFocusReturn } from '#ui/use-focus-return.ts'
import { SecretShown } from './SecretShown.tsx'
import { TYPES, useMakeWebhook } from './webhooks.ts'

/** The dialog to create a webhook from a URL and event types; it then shows the webhook's secret once. */
export function AddWebhook({ onClose }: { onClose: () => void }) {
  useFocusReturn()
  const [name, setName] = useState('')
  const [url, setUrl] = useState('')
  const [events, setEvents] = useState<string[]>(Object.keys(TYPES))
  const make = useMakeWebhook()
  return (
    <Dialog opened onClose={onClose} title={make.data ? t`Copy the secret` : t`Add a webhook`}>
      {make.data ? (
        <SecretShown secret={make.data} onClose={onClose} />
      ) : (
        <ActionForm
          action={t`Add webhook`}
          busy={make.isPending}
          disabled={name.trim() === '' || url.trim() === '' || events.length === 0}
          onSubmit={() => make.mutate({ name, url, events })}
        >
          <TextInput
            label={t`Name`}
            description={t`What listens there, such as “Home Assistant”.`}
            maxLength={LIMITS.longestWebhookName}
            value={name}
            onChange={({ currentTarget: { value } }) => setName(value)}
            data-autofocus
          />
          <TextInput
            type="url"
            inputMode="url"
            label={t`Address`}
            description={t`Starts with https:// and can be reached from the internet. We store it encrypted and show only its domain again.`}
            value={url}
            onChange={({ currentTarget: { value } }) => setUrl(value)}
          />
          <Checkbox.Group label={t`Call it about`} value={events} onChange={setEvents}>
            <Stack gap="xs" mt={4}>
              {Object.entries(TYPES).map(([type, { title, text }]) => (
                <Checkbox key={type} value={type} label={title} description={text} />
              ))}
            </Stack>
          </Checkbox.Group>
        </ActionForm>
      )}
    </Dialog>
  )
}
