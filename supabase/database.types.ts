// Generated from the migrations by `npm run types`. Do not edit.
export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  public: {
    Tables: {
      app_settings: {
        Row: {
          id: boolean
          review_new_plans: boolean
          updated_at: string
        }
        Insert: {
          id?: boolean
          review_new_plans?: boolean
          updated_at?: string
        }
        Update: {
          id?: boolean
          review_new_plans?: boolean
          updated_at?: string
        }
        Relationships: []
      }
      service_provider_data: {
        Row: {
          created_at: string
          data: Json
          id: string
          is_current: boolean
        }
        Insert: {
          created_at?: string
          data: Json
          id?: string
          is_current?: boolean
        }
        Update: {
          created_at?: string
          data?: Json
          id?: string
          is_current?: boolean
        }
        Relationships: []
      }
      shared_subscriptions: {
        Row: {
          billing_cycle: 'monthly' | 'yearly'
          catalogue_plan_id: string
          category: 'streaming' | 'music' | 'gaming' | 'productivity' | 'security' | 'other'
          created_at: string
          currency: string
          current_members: number
          description: string
          id: string
          logo: string | null
          max_members: number
          member_price: number
          name: string
          next_payment: string | null
          owner: string
          owner_id: string
          owner_max_members: number
          provider: string
          provider_max_members: number
          status: 'active' | 'pending' | 'rejected'
          total_price: number
        }
        Insert: {
          billing_cycle?: 'monthly' | 'yearly'
          catalogue_plan_id?: string
          category?: 'streaming' | 'music' | 'gaming' | 'productivity' | 'security' | 'other'
          created_at?: string
          currency?: string
          current_members?: number
          description?: string
          id?: string
          logo?: string | null
          max_members?: number
          member_price?: number
          name?: string
          next_payment?: string | null
          owner?: string
          owner_id?: string
          owner_max_members?: number
          provider?: string
          provider_max_members?: number
          status?: 'active' | 'pending' | 'rejected'
          total_price?: number
        }
        Update: {
          billing_cycle?: 'monthly' | 'yearly'
          catalogue_plan_id?: string
          category?: 'streaming' | 'music' | 'gaming' | 'productivity' | 'security' | 'other'
          created_at?: string
          currency?: string
          current_members?: number
          description?: string
          id?: string
          logo?: string | null
          max_members?: number
          member_price?: number
          name?: string
          next_payment?: string | null
          owner?: string
          owner_id?: string
          owner_max_members?: number
          provider?: string
          provider_max_members?: number
          status?: 'active' | 'pending' | 'rejected'
          total_price?: number
        }
        Relationships: [
          {
            foreignKeyName: 'shared_subscriptions_owner_id_fkey'
            columns: ['owner_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      subscription_logins: {
        Row: {
          login_name: string
          subscription_id: string
          updated_at: string
        }
        Insert: {
          login_name: string
          subscription_id: string
          updated_at?: string
        }
        Update: {
          login_name?: string
          subscription_id?: string
          updated_at?: string
        }
        Relationships: [
          {
            foreignKeyName: 'subscription_logins_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: true
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
        ]
      }
      subscription_members: {
        Row: {
          email: string
          id: string
          is_owner: boolean
          joined_at: string
          name: string
          subscription_id: string
          user_id: string
        }
        Insert: {
          email: string
          id?: string
          is_owner?: boolean
          joined_at?: string
          name: string
          subscription_id: string
          user_id: string
        }
        Update: {
          email?: string
          id?: string
          is_owner?: boolean
          joined_at?: string
          name?: string
          subscription_id?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'subscription_members_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: false
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'subscription_members_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      subscription_requests: {
        Row: {
          decided_at: string | null
          email: string
          id: string
          message: string
          name: string
          requested_at: string
          status: 'pending' | 'approved' | 'rejected' | 'cancelled'
          subscription_id: string
          superseded: boolean
          user_id: string
        }
        Insert: {
          decided_at?: string | null
          email?: string
          id?: string
          message?: string
          name?: string
          requested_at?: string
          status?: 'pending' | 'approved' | 'rejected' | 'cancelled'
          subscription_id: string
          superseded?: boolean
          user_id?: string
        }
        Update: {
          decided_at?: string | null
          email?: string
          id?: string
          message?: string
          name?: string
          requested_at?: string
          status?: 'pending' | 'approved' | 'rejected' | 'cancelled'
          subscription_id?: string
          superseded?: boolean
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'subscription_requests_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: false
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'subscription_requests_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      system_permissions: {
        Row: {
          description: string
          id: string
          name: string
        }
        Insert: {
          description?: string
          id: string
          name: string
        }
        Update: {
          description?: string
          id?: string
          name?: string
        }
        Relationships: []
      }
      system_roles: {
        Row: {
          created_at: string
          description: string
          id: string
          name: string
          permissions: string[]
        }
        Insert: {
          created_at?: string
          description?: string
          id?: string
          name: string
          permissions?: string[]
        }
        Update: {
          created_at?: string
          description?: string
          id?: string
          name?: string
          permissions?: string[]
        }
        Relationships: []
      }
      user_notifications: {
        Row: {
          created_at: string
          id: string
          message: string
          read: boolean
          subscription_id: string | null
          title: string
          type: 'success' | 'warning' | 'error' | 'info'
          user_id: string
        }
        Insert: {
          created_at?: string
          id?: string
          message: string
          read?: boolean
          subscription_id?: string | null
          title: string
          type: 'success' | 'warning' | 'error' | 'info'
          user_id: string
        }
        Update: {
          created_at?: string
          id?: string
          message?: string
          read?: boolean
          subscription_id?: string | null
          title?: string
          type?: 'success' | 'warning' | 'error' | 'info'
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'user_notifications_subscription_id_fkey'
            columns: ['subscription_id']
            isOneToOne: false
            referencedRelation: 'shared_subscriptions'
            referencedColumns: ['id']
          },
          {
            foreignKeyName: 'user_notifications_user_id_fkey'
            columns: ['user_id']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
      user_profiles: {
        Row: {
          avatar_url: string | null
          created_at: string
          display_name: string | null
          full_name: string | null
          phone_number: string | null
          updated_at: string
          user_id: string
        }
        Insert: {
          avatar_url?: string | null
          created_at?: string
          display_name?: string | null
          full_name?: string | null
          phone_number?: string | null
          updated_at?: string
          user_id: string
        }
        Update: {
          avatar_url?: string | null
          created_at?: string
          display_name?: string | null
          full_name?: string | null
          phone_number?: string | null
          updated_at?: string
          user_id?: string
        }
        Relationships: []
      }
      user_roles: {
        Row: {
          granted_at: string
          granted_by: string | null
          role: string
          user_id: string
        }
        Insert: {
          granted_at?: string
          granted_by?: string | null
          role: string
          user_id: string
        }
        Update: {
          granted_at?: string
          granted_by?: string | null
          role?: string
          user_id?: string
        }
        Relationships: [
          {
            foreignKeyName: 'user_roles_granted_by_fkey'
            columns: ['granted_by']
            isOneToOne: false
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
          {
            foreignKeyName: 'user_roles_role_fkey'
            columns: ['role']
            isOneToOne: false
            referencedRelation: 'system_roles'
            referencedColumns: ['name']
          },
          {
            foreignKeyName: 'user_roles_user_id_fkey'
            columns: ['user_id']
            isOneToOne: true
            referencedRelation: 'user_profiles'
            referencedColumns: ['user_id']
          },
        ]
      }
    }
    Views: { [_ in never]: never }
    Functions: {
      approve_subscription_request: {
        Args: { p_request_id: string; p_subscription_id: string }
        Returns: Json
      }
      assign_user_role: {
        Args: { p_user_id: string; p_role: string }
        Returns: boolean
      }
      check_existing_subscription_membership: {
        Args: { p_subscription_id: string; p_user_id: string }
        Returns: boolean
      }
      check_existing_subscription_request: {
        Args: { p_subscription_id: string; p_user_id: string }
        Returns: boolean
      }
      fetch_archived_requests: {
        Args: { p_subscription_id: string }
        Returns: Database['public']['Tables']['subscription_requests']['Row'][]
        SetofOptions: { from: '*'; to: 'subscription_requests'; isOneToOne: false; isSetofReturn: true }
      }
      fetch_user_archived_requests: {
        Args: { p_user_id: string }
        Returns: Database['public']['Tables']['subscription_requests']['Row'][]
        SetofOptions: { from: '*'; to: 'subscription_requests'; isOneToOne: false; isSetofReturn: true }
      }
      get_own_profile: {
        Args: never
        Returns: Database['public']['Tables']['user_profiles']['Row'][]
        SetofOptions: { from: '*'; to: 'user_profiles'; isOneToOne: false; isSetofReturn: true }
      }
      get_pending_requests_with_expiry: {
        Args: { p_subscription_id: string }
        Returns: { id: string; user_id: string; name: string; email: string; avatar_url: string; requested_at: string; message: string; expires_in_hours: number }[]
      }
      is_subscription_owner: {
        Args: { subscription_id_param: string }
        Returns: boolean
      }
      mark_notifications_as_read: {
        Args: { p_user_id: string; p_notification_ids: string[] }
        Returns: undefined
      }
      reject_subscription_request: {
        Args: { p_request_id: string; p_subscription_id: string }
        Returns: undefined
      }
    }
    Enums: { [_ in never]: never }
    CompositeTypes: { [_ in never]: never }
  }
}
