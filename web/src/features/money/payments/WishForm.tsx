import { t } from '@lingui/core/macro'
import { Button, Group, Radio, Stack, Textarea, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { type FormEvent, useState } from 'react'
import { formatIban, MOST_PASTED } from '#domain/format-iban.ts'
import { readWish, type WishForm as Typed, type Wish } from '#domain/wish.ts'

interface WishFormProps {
  /** The saved payment details; null if there are none. */
  wish: Wish | null
  busy: boolean
  onSave: (wish: Wish) => void
  onCancel: () => void
}

const KINDS = [
  {
    kind: 'iban',
    label: t`Bank transfer`,
    description: t`They see your IBAN and a QR code.`,
  },
  { kind: 'link', label: t`Payment link`, description: t`Your page at a payment service.` },
  {
    kind: 'text',
    label: t`In your own words`,
    description: t`Cash, a standing order, or whatever suits you.`,
  },
] as const

/** The form for payment details: a bank account, a payment link, or free text. */
export function WishForm({ wish, busy, onSave, onCancel }: WishFormProps) {
  const [typed, setTyped] = useState(() => toTyped(wish))
  const [problems, setProblems] = useState<Partial<Record<keyof Typed, string>>>({})
  const save = (event: FormEvent) => {
    event.preventDefault()
    const read = readWish(typed)
    if ('wish' in read) onSave(read.wish)
    else setProblems(read.problems)
  }
  const field = (name: 'iban' | 'holder' | 'link' | 'note') => ({
    value: typed[name],
    error: problems[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setProblems({ ...problems, [name]: undefined })
      setTyped({ ...typed, [name]: event.currentTarget.value })
    },
  })
  return (
    <form onSubmit={save} noValidate>
      <Stack gap="md">
        <Radio.Group
          label={t`You are paid by`}
          value={typed.kind}
          onChange={(chosen) => {
            setProblems({})
            setTyped({ ...typed, kind: KINDS.find(({ kind }) => kind === chosen)?.kind ?? 'iban' })
          }}
        >
          <Stack gap="xs" mt="xs">
            {KINDS.map(({ kind, ...words }) => (
              <Radio key={kind} value={kind} {...words} />
            ))}
          </Stack>
        </Radio.Group>
        {typed.kind === 'iban' && (
          <>
            <TextInput
              {...field('iban')}
              label="IBAN"
              autoComplete="off"
              spellCheck={false}
              maxLength={MOST_PASTED}
            />
            <TextInput
              {...field('holder')}
              label={t`Name on the account`}
              maxLength={LIMITS.longestHolder}
              autoComplete="name"
            />
          </>
        )}
        {typed.kind === 'link' && (
          <TextInput
            {...field('link')}
            label={t`Address of the page`}
            placeholder="https://"
            type="url"
            maxLength={LIMITS.longestPaymentLink}
            autoComplete="off"
          />
        )}
        {typed.kind === 'text' && (
          <Textarea
            {...field('note')}
            label={t`How to pay you`}
            rows={3}
            maxLength={LIMITS.longestPaymentNote}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel} disabled={busy}>
            {t`Cancel`}
          </Button>
          <Button type="submit" loading={busy}>
            {t`Save`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function toTyped(wish: Wish | null): Typed {
  const empty: Typed = { kind: 'iban', iban: '', holder: '', link: '', note: '' }
  if (!wish) return empty
  return wish.kind === 'iban' ? { ...empty, ...wish, iban: formatIban(wish.iban) } : { ...empty, ...wish }
}
