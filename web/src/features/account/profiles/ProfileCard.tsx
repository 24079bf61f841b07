import { t } from '@lingui/core/macro'
import { Alert, Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { LIMITS } from '@potluck/supabase/limits'
import { IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { nameOfAddress } from '#domain/text.ts'
import type { User } from '#lib/session.ts'
import { ActionForm } from '#ui/ActionForm.tsx'
import { Loaded } from '#ui/Loaded.tsx'
import { PersonAvatar } from '#ui/PersonAvatar.tsx'
import { SectionCard } from '#ui/SectionCard.tsx'
import { AvatarPicker } from './AvatarPicker.tsx'
import { profileTexts } from './profiles.messages.ts'
import { useSaveProfile } from './profiles.mutations.ts'
import { ownProfileQuery, type Profile } from './profiles.queries.ts'

interface ProfileCardProps {
  user: User
  /** True if the person signs in through a provider. */
  social: boolean
  /** The badge of the person's level of standing. */
  level: ReactNode
}

/** The person's profile, to read and to edit. */
export function ProfileCard({ user, social, level }: ProfileCardProps) {
  const profile = useQuery(ownProfileQuery(user.id))
  const [editing, setEditing] = useState(false)

  return (
    <SectionCard titleId="profile-title" title={t`About you`}>
      <Loaded
        of={profile}
        pending={<Skeletons />}
        failed={(_problem, retry, isRetrying) => (
          <Alert color="beet" title={profileTexts.loadTitle} role="alert">
            <Stack align="flex-start" gap="sm">
              {profileTexts.loadFailed}
              <Button variant="default" loading={isRetrying} onClick={retry}>
                {t`Try Again`}
              </Button>
            </Stack>
          </Alert>
        )}
      >
        {(loaded) =>
          editing ? (
            <ProfileForm profile={loaded} social={social} userId={user.id} onDone={() => setEditing(false)} />
          ) : (
            <ProfileView profile={loaded} user={user} level={level} onEdit={() => setEditing(true)} />
          )
        }
      </Loaded>
    </SectionCard>
  )
}

function Skeletons() {
  return (
    <Stack gap="lg" aria-busy>
      <Group wrap="nowrap">
        <Skeleton circle height={72} />
        <Stack gap="xs" flex={1}>
          <Skeleton height={20} width="40%" />
          <Skeleton height={16} width="60%" />
        </Stack>
      </Group>
      <Skeleton height={44} width="50%" />
    </Stack>
  )
}

interface ProfileViewProps {
  profile: Profile
  /** The signed-in person, whose picture is shown while the profile has none. */
  user: User
  level: ReactNode
  onEdit: () => void
}

/** The person's own profile, with its public and its private fields. */
function ProfileView({ profile, user, level, onEdit }: ProfileViewProps) {
  const name = profile.displayName || nameOfAddress(user.email)
  const facts = [
    { label: t`Full name`, value: profile.fullName },
    { label: t`Phone number`, value: profile.phoneNumber },
  ]
  return (
    <Stack gap="lg">
      <Group wrap="nowrap" gap="md">
        <PersonAvatar name={name} src={profile.avatarUrl ?? user.avatarUrl} size={72} />
        <Stack gap={2} miw={0}>
          <Text fw={600} size="lg" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Text>
          <Text c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {user.email}
          </Text>
          {level}
        </Stack>
      </Group>
      <Group gap="xl" component="dl" m={0}>
        {facts.map(({ label, value }) => (
          <Stack gap={2} key={label} miw={0}>
            <Text component="dt" size="sm" c="dimmed">
              {label}
            </Text>
            <Text component="dd" m={0} style={{ overflowWrap: 'anywhere' }}>
              {value || t`Not added`}
            </Text>
          </Stack>
        ))}
      </Group>
      <Button
        variant="default"
        leftSection={<IconPencil size={18} />}
        onClick={onEdit}
        style={{ alignSelf: 'flex-start' }}
      >
        {t`Edit profile`}
      </Button>
    </Stack>
  )
}

interface ProfileFormProps {
  profile: Profile
  /** True if the person signs in through a provider, whose picture cannot be changed here. */
  social: boolean
  userId: string
  onDone: () => void
}

/** The form for the whole profile. Its maximum lengths are those of the database. */
function ProfileForm({ profile, social, userId, onDone }: ProfileFormProps) {
  const save = useSaveProfile(userId, onDone)
  const [draft, setDraft] = useState(profile)
  const field = (name: 'displayName' | 'fullName' | 'phoneNumber') => ({
    value: draft[name],
    onChange: (event: { currentTarget: { value: string } }) =>
      setDraft({ ...draft, [name]: event.currentTarget.value }),
  })
  return (
    <ActionForm
      action={t`Save profile`}
      busy={save.isPending}
      onSubmit={() => save.mutate(draft)}
      onCancel={onDone}
    >
      {social ? (
        <Text c="dimmed">{profileTexts.socialPicture}</Text>
      ) : (
        <AvatarPicker value={draft.avatarUrl} onChange={(avatarUrl) => setDraft({ ...draft, avatarUrl })} />
      )}
      <TextInput
        {...field('displayName')}
        label={t`Display name`}
        description={t`Shown to people you share with.`}
        maxLength={LIMITS.longestDisplayName}
        autoComplete="nickname"
      />
      <TextInput
        {...field('fullName')}
        label={t`Full name`}
        description={t`Only you and our payout team see it.`}
        maxLength={LIMITS.longestFullName}
        autoComplete="name"
      />
      <TextInput
        {...field('phoneNumber')}
        label={t`Phone number`}
        description={t`Only you see it.`}
        type="tel"
        maxLength={LIMITS.longestPhoneNumber}
        autoComplete="tel"
      />
    </ActionForm>
  )
}
