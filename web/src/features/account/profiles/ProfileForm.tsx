import { Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { useEffect, useState } from 'react'
import { ActionForm } from '#ui/ActionForm.tsx'
import { AvatarPicker } from './AvatarPicker.tsx'
import { preparePhoneNumbers, toPhoneNumber } from './phone-number.ts'
import { profileTexts, profileToasts } from './profiles.messages.ts'
import type { Profile } from './profiles.queries.ts'

interface ProfileFormProps {
  profile: Profile
  /** Signed in through a provider, whose picture stays. */
  social: boolean
  busy: boolean
  onSave: (profile: Profile) => void
  onCancel: () => void
}

/** Edits the whole profile at once. Lengths are the longest the database keeps. */
export function ProfileForm({ profile, social, busy, onSave, onCancel }: ProfileFormProps) {
  const [draft, setDraft] = useState(profile)
  const [phoneError, setPhoneError] = useState('')
  useEffect(preparePhoneNumbers, [])
  const submit = async () => {
    const phoneNumber = draft.phoneNumber.trim() && (await toPhoneNumber(draft.phoneNumber))
    if (phoneNumber === null) setPhoneError(profileTexts.phoneWrong)
    else onSave({ ...draft, phoneNumber })
  }
  const field = (name: 'displayName' | 'fullName' | 'phoneNumber') => ({
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }) => {
      setPhoneError('')
      setDraft({ ...draft, [name]: event.currentTarget.value })
    },
  })
  return (
    <ActionForm
      action="Save profile"
      busy={busy}
      onSubmit={() => void submit().catch(profileToasts.saveFailed)}
      onCancel={onCancel}
    >
      {social ? (
        <Text c="dimmed">{profileTexts.socialPicture}</Text>
      ) : (
        <AvatarPicker value={draft.avatarUrl} onChange={(avatarUrl) => setDraft({ ...draft, avatarUrl })} />
      )}
      <TextInput
        {...field('displayName')}
        label="Display name"
        description="What the people you share with read."
        maxLength={LIMITS.longestDisplayName}
        autoComplete="nickname"
      />
      <TextInput
        {...field('fullName')}
        label="Full name"
        description="Only for you, and for whoever pays out your withdrawals."
        maxLength={LIMITS.longestFullName}
        autoComplete="name"
      />
      <TextInput
        {...field('phoneNumber')}
        label="Phone number"
        description="Only for you."
        error={phoneError}
        type="tel"
        maxLength={40}
        autoComplete="tel"
      />
    </ActionForm>
  )
}
