import { Avatar, type AvatarProps } from '@mantine/core'
import { initials } from '#domain/initials.ts'

interface PersonAvatarProps extends Omit<AvatarProps, 'src' | 'name' | 'alt'> {
  name: string
  src?: string | null | undefined
}

/** A person's picture, or at most two letters of their name. Decorative, since the name is next to it. */
export function PersonAvatar({ name, src, ...look }: PersonAvatarProps) {
  return (
    <Avatar src={src ?? null} alt="" radius="50%" color="clay" variant="light" aria-hidden {...look}>
      {initials(name)}
    </Avatar>
  )
}
